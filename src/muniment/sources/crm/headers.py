"""What the columns of CRM exports are called, in English, German, French and Chinese.

Tools name columns in the language of whoever exports. Each is known here under one name of ours; a column
that is none of these is kept under its own.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

__all__ = ["FIELDS", "field_of"]

# Ours: the id, what orders versions, names, who and when; then what is told in the text.
FIELDS: Final[Mapping[str, str]] = {
    "id": (
        "Record ID|Datensatz-ID|ID de l’enregistrement|ID de la fiche d'informations|"
        "记录 ID|记录ID|Id|hs_object_id|id"
    ),
    "company_id": (
        "Company ID|Record ID - Company|Account ID|Account-ID|Accountnummer (ID)|ID du compte|客户 ID|客户ID"
    ),
    "deal_id": (
        "Deal ID|Record ID - Deal|Opportunity ID|Opportunity-ID|ID d'opportunité|"
        "ID de l'opportunité|业务机会 ID|交易 ID"
    ),
    "contact_id": "Contact ID|Record ID - Contact|Kontakt-ID|ID du contact|联系人 ID",
    "activity_id": (
        "Activity ID|Task ID|Note ID|Aktivitäts-ID|Aufgaben-ID|ID de l'activité|"
        "ID de la tâche|活动 ID|任务 ID"
    ),
    "company": (
        "Company name|Company Name|Unternehmensname|Name des Unternehmens|"
        "Nom de l'entreprise|公司名称|Account Name|Accountname|Account-Name|Nom du compte|"
        "客户名|客户名称"
    ),
    "domain": (
        "Company Domain Name|Domain-Name des Unternehmens|Unternehmens-Domainname|"
        "Nom de domaine de l'entreprise|公司域名|Website|Webseite|Site Web|网站|domain|"
        "Website URL"
    ),
    "deal": (
        "Deal Name|Deal-Name|Name des Deals|Nom de la transaction|交易名称|dealname|"
        "Opportunity Name|Opportunity-Name|Opportunityname|Nom de l'opportunité|业务机会名|"
        "业务机会名称"
    ),
    "task": (
        "Task Title|Aufgabentitel|Titel der Aufgabe|Titre de la tâche|任务标题|"
        "hs_task_subject|Subject|Thema|Betreff|Objet|主题"
    ),
    "note": ("Note body|Note Body|Notiztext|Text der Notiz|Corps de la note|备注正文|hs_note_body"),
    "first_name": "First Name|Vorname|Prénom|名|firstname",
    "last_name": "Last Name|Nachname|Nom de famille|Nom|姓|lastname",
    "email": "Email|E-Mail|E-mail|Adresse e-mail|电子邮件|email",
    "name": "Name|name|名称",
    "account_id": (
        "Associated Company IDs|Primary Associated Company ID|"
        "IDs zugehöriger Unternehmen|IDs d'entreprises associées|关联公司 ID|AccountId|"
        "Associated Company IDs (Primary)"
    ),
    "account": (
        "Associated Company|Associated Company (Primary)|Zugehöriges Unternehmen|"
        "Entreprise associée|关联公司|Associated company"
    ),
    "what_id": "WhatId|Related To ID|Zugehörig zu-ID|ID associé à|相关项 ID",
    "owner": (
        "Deal owner|Company owner|Contact owner|Owner|Task assigned to|"
        "Zuständiger Mitarbeiter|Deal-Inhaber|Inhaber|Propriétaire de la transaction|"
        "Propriétaire|Propriétaire de l'entreprise|交易所有者|公司所有者|所有者|Opportunity Owner|"
        "Account Owner|Opportunity-Inhaber|Accountinhaber|Account-Inhaber|"
        "Propriétaire de l'opportunité|Propriétaire du compte|业务机会所有人|客户所有人|OwnerId|"
        "hubspot_owner_id|Assigned|Zugewiesen|Attribué à|已分配"
    ),
    "team": (
        "HubSpot Team|HubSpot-Team|Équipe HubSpot|HubSpot 团队|hubspot_team_id|"
        "Owner Role|Inhaberrolle|Rôle du propriétaire|所有人角色"
    ),
    "changed": (
        "Last Modified Date|Last modified date|Datum der letzten Änderung|"
        "Letztes Änderungsdatum|Date de dernière modification|上次修改日期|最后修改日期|"
        "SystemModstamp|LastModifiedDate|hs_lastmodifieddate|lastmodifieddate|"
        "Zuletzt geändert am"
    ),
    "created": (
        "Create Date|Created Date|Erstellungsdatum|Erstelldatum|Date de création|创建日期|"
        "CreatedDate|createdate|hs_createdate"
    ),
    "deleted": ("IsDeleted|Deleted|Gelöscht|Supprimé|已删除|Archived|Archiviert|Archivé|已存档|archived"),
    "merged_into": (
        "MasterRecordId|Master Record ID|Hauptdatensatz-ID|ID de l'enregistrement principal|主记录 ID"
    ),
    "merged": (
        "Merged object IDs|Merged Record IDs|IDs zusammengeführter Datensätze|"
        "IDs des enregistrements fusionnés|合并的记录 ID|hs_merged_object_ids"
    ),
    "currency": (
        "Currency|Währung|Devise|货币|币种|CurrencyIsoCode|deal_currency_code|"
        "Opportunity Currency|Opportunity-Währung|Devise de l'opportunité|"
        "Amount Currency|Betrag Währung"
    ),
    "stage": (
        "Deal Stage|Stage|Deal-Phase|Phase|Phase de la transaction|Étape|阶段|交易阶段|StageName|dealstage"
    ),
    "amount": "Amount|Betrag|Deal-Betrag|Montant|金额|amount",
    "close": (
        "Close Date|Abschlussdatum|Abschlusstermin|Schlusstermin|Date de fermeture|"
        "Date de clôture|结束日期|成交日期|CloseDate|closedate"
    ),
    "pipeline": "Pipeline|管道|pipeline",
    "type": "Type|Typ|类型|Deal Type|dealtype",
    "probability": "Probability (%)|Probability|Wahrscheinlichkeit (%)|Probabilité (%)|可能性 (%)",
    "next": "Next Step|Nächster Schritt|Étape suivante|下一步|NextStep|hs_next_step",
    "status": "Status|Task Status|Aufgabenstatus|Statut|状态|hs_task_status",
    "due": (
        "Due Date|Due date|Fälligkeitsdatum|Fällig am|Date d'échéance|到期日期|截止日期|"
        "ActivityDate|hs_timestamp|Date|Datum"
    ),
    "industry": "Industry|Branche|Secteur d'activité|行业|industry",
    "city": "City|Stadt|Ort|Ville|城市|city|BillingCity",
    "country": (
        "Country/Region|Country|Land/Region|Land|Pays/région|Pays|国家/地区|国家|country|BillingCountry"
    ),
    "title": "Job Title|Position|Berufsbezeichnung|Intitulé du poste|职位|jobtitle|Title",
    "phone": ("Phone Number|Phone|Telefonnummer|Telefon|Numéro de téléphone|Téléphone|电话号码|电话|phone"),
    "description": (
        "Deal Description|Description|Beschreibung|Deal-Beschreibung|描述|说明|description|"
        "hs_task_body|Comments|Full Comments|Kommentare|Commentaires|注释"
    ),
}


def _plain(name: str) -> str:
    return " ".join(name.replace("’", "'").replace("\u00a0", " ").casefold().split())


_KNOWN: Final[Mapping[str, str]] = {
    _plain(name): ours for ours, names in reversed(list(FIELDS.items())) for name in names.split("|")
}


def field_of(column: str) -> str | None:
    """Our name of a column; None for one that only its owner knows."""
    return _KNOWN.get(_plain(column))
