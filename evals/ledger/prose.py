"""Provisions that set nothing: the text around the facts, alike in documents of one line."""

from __future__ import annotations

import random

__all__ = ["heading", "paragraph"]

_WHO = (
    "the first named insured|any person insured|the company|our representative"
    "|a spouse who lives in the household|the licensed producer"
    "|the legal representative of a deceased insured|every partner or executive officer"
    "|a lessor named in the schedule|the owner of adjoining premises|an independent contractor"
    "|the loss payee|a tenant with our written consent|the examining physician"
    "|the supervising official"
).split("|")
_DOES = (
    "cooperates in good faith with|keeps available for review|does not assign without consent"
    "|takes reasonable care of|may inspect at sensible hours|gives a truthful account of"
    "|remains answerable for|separates from undamaged articles|does nothing to prejudice"
    "|preserves in the condition in which it was found|describes as precisely as circumstances permit"
    "|discloses upon a lawful request|maintains in working order|shares on a proportional basis"
    "|does not abandon to us|furnishes on forms of our choice"
).split("|")
_WHAT = (
    "the property described in the Declarations|all rights against third parties"
    "|the evidence of ownership|every structure on the described site"
    "|the contents that belong to others|the statements made in the application"
    "|the interests shown in the schedule|protective devices and services"
    "|any appliance permanently installed|the articles listed by serial number"
    "|an inventory with quantities and costs|the records of maintenance"
    "|whatever other insurance applies|the certificate of a competent authority"
    "|the remains of the damaged objects|plans and specifications of the building"
).split("|")
_WHEN = (
    "as long as the contract is in force|whenever an occurrence gives rise to a claim"
    "|unless the law forbids it|before repairs of a lasting kind begin"
    "|to the extent that this does not increase the hazard|without admitting liability to anybody"
    "|on behalf of all who have an interest|even where the cause is unknown"
    "|while the premises are used as described|after the authorities have released the site"
    "|in the order in which the interests appear|so far as it lies within that person's control"
    "|despite any change of title|until the adjustment is complete"
).split("|")
_WHY = (
    "This protects all who rely on the same provision."
    "|Courts have read the provision in the same sense."
    "|The wording follows the filing of the rating organization.|No waiver follows from our silence."
    "|An oversight made in good faith does not defeat the claim."
    "|The remedy is cumulative and not exclusive."
    "|Headings are for convenience and do not limit what they head."
    "|What is said here of one applies to several.|A later endorsement may say otherwise."
    "|Nothing here enlarges what the insuring agreement grants."
    "|The burden of showing an exception rests with us."
    "|We may rely on copies where originals are lost."
    "|Terms in quotation marks have a special meaning."
    "|The provision survives the end of the contract.|It does not matter who noticed the event first."
).split("|")
_FRAMES = (
    "{Who} {does} {what} {when}.",
    "{When}, {who} {does} {what}.",
    "With respect to {what}, {who} {does} {what2} {when}.",
    "It is a condition of this agreement that {who} {does} {what}.",
    "{Who} {does} {what}, and {who2} {does2} {what2}.",
    "Where {who} {does} {what}, the same is expected of {who2}.",
    "Neither {who} nor {who2} is relieved of this because {what} cannot be produced.",
    "{Who} acts for {who2} in everything that touches {what}.",
    "If there is doubt about {what}, {who} {does} {what2} {when}.",
    "The agreement treats {what} and {what2} alike {when}.",
)
_FIRST = (
    "Care|Conduct|Interpretation|Cooperation|Consent|Assignment|Concealment|Inspection|Preservation"
    "|Ownership|Liberalization|Severability|Waiver|Custody|Control|Apportionment|Occupancy"
    "|Alterations|Representations|Evidence"
).split("|")
_SECOND = (
    "of property|of interests|of the parties|by representatives|in general|of third persons"
    "|and knowledge|of improvements|and transfer|under other insurance|of records kept elsewhere"
    "|of several insureds"
).split("|")


def heading(chance: random.Random) -> str:
    """A heading over a provision."""
    return f"{chance.choice(_FIRST)} {chance.choice(_SECOND)}"


def paragraph(chance: random.Random, sentences: int) -> str:
    """So many sentences of a provision."""
    return " ".join(_sentence(chance) for _ in range(sentences))


def _sentence(chance: random.Random) -> str:
    if chance.random() < 0.2:
        return chance.choice(_WHY)
    who, who2 = chance.sample(_WHO, 2)
    does, does2 = chance.sample(_DOES, 2)
    what, what2 = chance.sample(_WHAT, 2)
    when = chance.choice(_WHEN)
    words = {
        "who": who,
        "who2": who2,
        "does": does,
        "does2": does2,
        "what": what,
        "what2": what2,
        "when": when,
    }
    capitals = {"Who": _capital(who), "When": _capital(when)}
    return chance.choice(_FRAMES).format(**words, **capitals)


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
