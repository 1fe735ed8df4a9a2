"""Every table there is, and whether an exported record holds it. A test holds this against the schema."""

from __future__ import annotations

from typing import Final

__all__ = ["BEGUN_WITH", "CANONICAL", "DERIVED", "LEFT"]

# In the order in which they can be restored: what a foreign key leads to comes first.
CANONICAL: Final = (
    "source",
    "source_limit",
    "connection",
    "role_grant",
    "read_grant",
    "agent_grant",
    "stream",
    "event",
    "payload",
    "quarantine",
    "suppression",
    "blanked",
    "legal_hold",
    "reversal",
    "reverted_event",
    "redaction",
    "retention_rule",
    "retention_due",
    "retention_done",
    "principal_statement",
    "membership",
    "group_listing",
    "container_statement",
    "audience",
    "audience_clause",
    "assertion_redirect",
    "extractor_release",
    "decision",
    "report",
    "disclosure_policy",
    "alias",
    "entity_decision",
    "model_output",
    "distilling",
    "model_call",
    "model_refusal",
    "trace",
    "audit",
    "audit_unsealed",
    "audit_seal",
)

# Made anew from those by a rebuild.
DERIVED: Final = frozenset(
    {
        "principal",
        "principal_alias",
        "member_now",
        "container",
        "container_clause",
        "item",
        "item_version",
        "passage",
        "fingerprint",
        "assertion",
        "echo",
        "edge",
        "entity_name",
        "person_name",
        "mention",
        "reference",
        "handle",
        "topology",
        "watermark",
        "posting_segment",
        "posting_block",
    }
)

# Neither, each with its reason.
LEFT: Final = {
    "org": "its key and names are in the manifest, the key only if asked for",
    "lease": "who works on what at this moment",
    "token": "credentials are made anew where a record goes",
    "idempotency": "what one server was told twice, for some days",
}

# What making an organisation writes: an empty one holds nothing but this.
BEGUN_WITH: Final = frozenset(
    {"role_grant", "principal_statement", "audit", "audit_unsealed", "audit_seal", "stream"}
)
