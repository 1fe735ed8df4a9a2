"""CRM: accounts, deals, notes and tasks of HubSpot, Salesforce and any table."""

from __future__ import annotations

from muniment.sources.connector import Configured, Connector, ConnectorKind, Setting
from muniment.sources.crm import files
from muniment.sources.filekind import FileKind

__all__ = ["CONNECTORS", "FILES"]


def _hubspot(configured: Configured) -> Connector:
    from muniment.sources.crm.asked_hubspot import HubSpot  # noqa: PLC0415  # only who asks needs it

    return HubSpot.of(configured)


def _salesforce(configured: Configured) -> Connector:
    from muniment.sources.crm.asked_salesforce import Salesforce  # noqa: PLC0415  # as above

    return Salesforce.of(configured)


FILES: tuple[FileKind, ...] = (
    FileKind(
        name="salesforce-csv",
        source="salesforce",
        summary="a table of Salesforce: its export of data, or a report with ids",
        read=files.read_salesforce,
        recognises=files.is_salesforce,
        options=files.VENDOR_OPTIONS,
    ),
    FileKind(
        name="hubspot-csv",
        source="hubspot",
        summary="a table of HubSpot's companies, deals, contacts, notes or tasks",
        read=files.read_hubspot,
        recognises=files.is_hubspot,
        options=files.VENDOR_OPTIONS,
    ),
    FileKind(
        name="csv",
        source="crm",
        summary="any table of a CRM, by a file that says what its columns mean",
        read=files.read_mapped,
        options=files.CSV_OPTIONS,
    ),
)
_AUDIENCES = Setting(
    "audiences", "who reads, by team, owner or pipeline: Sales=group:sales, *=group:staff", required=False
)
_READERS = (
    "a record is for its owner and whom the setting audiences maps its team, owner or pipeline to; without "
    "it, for whoever connects: these systems have no list of readers that could be asked for"
)
CONNECTORS: tuple[ConnectorKind, ...] = (
    ConnectorKind(
        name="hubspot",
        summary="companies, deals, contacts, notes and tasks of HubSpot",
        settings=(
            Setting("token", "a private app's token", secret=True),
            _AUDIENCES,
            Setting("api", "another address of its interface", required=False),
        ),
        connect=_hubspot,
        hook=None,
        knows=(
            "needs the scopes crm.objects.companies.read, .deals.read, .contacts.read and .owners.read",
            _READERS,
            "each change of a deal's name, stage, amount, close date and owner is a version of it",
            "what is gone is found by listing; who may see a record in HubSpot it cannot know",
        ),
    ),
    ConnectorKind(
        name="salesforce",
        summary="accounts, opportunities, contacts and tasks of Salesforce",
        settings=(
            Setting("instance", "the address of the instance: https://acme.my.salesforce.com"),
            Setting("token", "an access token", secret=True),
            _AUDIENCES,
        ),
        connect=_salesforce,
        hook=None,
        knows=(
            "needs API access and View All on accounts, opportunities, contacts and tasks",
            _READERS,
            "a field that the login may not see makes its object fail, rather than be read as empty",
            "what was purged from the bin is found by listing; sharing rules it does not read",
        ),
    ),
)
