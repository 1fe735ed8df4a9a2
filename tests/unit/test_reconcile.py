"""How visible statements meet, one rule at a time."""

from dataclasses import replace

from muniment.claims.claim import Ties, holds
from muniment.claims.reconcile import reconcile
from muniment.claims.ties import obeyed
from muniment.domain.record import EdgeRow
from tests.statements import KEY, NOW, amends, claims, day, item, said, supersedes

APRIL = day("2026-04-01")


def test_the_same_value_from_two_authors_is_one_claim_with_two_origins() -> None:
    found = claims([said(item("a"), "180"), said(item("b"), "180")])

    assert found["180"].confirmations == 2
    assert len(found["180"].supports) == 2


def test_a_copy_of_the_same_words_is_no_confirmation() -> None:
    words = "The limit is 180."

    found = claims([said(item("a"), "180", statement=words), said(item("b"), "180", statement=words)])

    assert found["180"].confirmations == 1


def test_an_author_who_says_it_twice_is_one_origin() -> None:
    found = claims(
        [said(item("a", author="user:ann"), "180"), said(item("b", author="user:ann", source="slack"), "180")]
    )

    assert found["180"].confirmations == 1


def test_different_values_without_a_reason_to_prefer_one_contradict_each_other() -> None:
    found = claims([said(item("a"), "140"), said(item("b"), "180")])

    assert found["140"].conflicts_with == (found["180"].id,)
    assert found["180"].conflicts_with == (found["140"].id,)
    assert {claim.status for claim in found.values()} == {"active"}


def test_saying_it_later_is_not_a_later_effective_time() -> None:
    found = claims([said(item("a"), "140"), said(item("b", at=day("2026-06-01")), "180")])

    assert found["140"].conflicts_with
    assert found["140"].valid_to is None


def test_rank_alone_settles_nothing() -> None:
    found = claims([said(item("a", authority="member"), "140"), said(item("b"), "180")])

    assert found["140"].conflicts_with == (found["180"].id,)


def test_a_later_effective_time_ends_the_older_claim_there() -> None:
    found = claims([said(item("a"), "140"), said(item("b", valid_from=APRIL), "180")])

    assert found["140"].valid_to == APRIL
    assert found["140"].status == "superseded"
    assert found["140"].superseded_by == found["180"].id
    assert not found["180"].conflicts_with


def test_a_later_effective_time_from_a_lower_authority_contradicts() -> None:
    found = claims([said(item("a"), "140"), said(item("b", valid_from=APRIL, authority="member"), "180")])

    assert found["140"].valid_to is None
    assert found["140"].conflicts_with == (found["180"].id,)


def test_what_was_said_after_a_change_took_effect_contradicts_it() -> None:
    found = claims(
        [said(item("rule", valid_from=APRIL), "180"), said(item("talk", at=day("2026-06-01")), "140")]
    )

    assert found["140"].conflicts_with == (found["180"].id,)


def test_a_change_still_to_come_leaves_the_old_claim_active_until_then() -> None:
    found = claims([said(item("a"), "140"), said(item("b", valid_from=day("2027-01-01")), "180")])

    assert found["140"].status == "active"
    assert holds(found["140"], NOW)
    assert not holds(found["180"], NOW)


def test_as_of_an_earlier_time_the_old_rule_is_current() -> None:
    statements = [said(item("a"), "140"), said(item("b", valid_from=APRIL), "180")]

    before = claims(statements, as_of=day("2026-02-01"))

    assert before["140"].status == "active"
    assert holds(before["140"], day("2026-02-01"))
    assert not holds(before["180"], day("2026-02-01"))


def test_an_item_superseded_as_a_whole_ends_all_its_statements() -> None:
    old, new = item("2025"), item("2026", valid_from=APRIL)
    meals = said(old, "28", attribute="meal allowance", statement="Meals are 28.")

    found = claims([said(old, "140"), meals, said(new, "180")], supersedes(new, old))

    assert found["140"].superseded_by == found["180"].id
    assert found["28"].status == "superseded"
    assert found["28"].valid_to == APRIL
    assert found["28"].superseded_by is None
    assert found["28"].replaced_by == new.item


def test_a_successor_without_a_period_takes_effect_when_it_was_made() -> None:
    old, new = item("2025"), item("2026", created_at=day("2026-05-05"))

    found = claims([said(old, "140"), said(new, "180")], supersedes(new, old))

    assert found["140"].valid_to == found["180"].valid_from == day("2026-05-05")


def test_a_restated_rule_is_one_claim_that_cites_the_edition_in_force() -> None:
    old, new = item("2025"), item("2026", valid_from=APRIL)
    statements = [said(old, "140"), said(new, "140")]

    assert claims(statements, supersedes(new, old))["140"].supports[0].item == new
    before = claims(statements, supersedes(new, old), as_of=day("2026-02-01"))
    assert before["140"].supports[0].item == old
    assert before["140"].status == "active"


def test_an_amendment_ends_only_what_it_speaks_of() -> None:
    base, change = item("base"), item("change", valid_from=day("2026-09-01"))
    meals = said(base, "32", attribute="meal allowance", statement="Meals are 32.")

    found = claims([said(base, "140"), meals, said(change, "180")], amends(change, base))

    assert found["140"].valid_to == day("2026-09-01")
    assert found["32"].status == "active"
    assert found["32"].valid_to is None


def test_a_successor_that_takes_effect_first_leaves_nothing_of_the_old_edition() -> None:
    old, new = item("old", valid_from=day("2026-06-01")), item("new", valid_from=APRIL)

    found = claims([said(old, "140"), said(new, "180")], supersedes(new, old))

    assert found["140"].valid_from == found["140"].valid_to
    assert not holds(found["140"], day("2026-06-15"))
    assert not found["180"].conflicts_with


def test_a_ring_of_successors_is_cut_and_shown_as_a_conflict() -> None:
    a, b = item("a"), item("b", valid_from=APRIL)

    found = claims([said(a, "140"), said(b, "180")], supersedes(a, b), supersedes(b, a))

    assert found["140"].conflicts_with == (found["180"].id,)
    assert found["180"].conflicts_with == (found["140"].id,)


def test_what_one_item_lists_is_no_conflict_in_a_ring_either() -> None:
    a, b = item("a"), item("b", valid_from=APRIL)

    found = claims([said(a, "140"), said(a, "160"), said(b, "180")], supersedes(a, b), supersedes(b, a))

    assert found["140"].conflicts_with == (found["180"].id,)
    assert found["160"].conflicts_with == (found["180"].id,)
    assert set(found["180"].conflicts_with) == {found["140"].id, found["160"].id}


def test_disjoint_periods_of_the_same_value_stay_two_claims() -> None:
    first = item("first", valid_from=day("2024-01-01"), valid_to=day("2025-01-01"))
    again = item("again", valid_from=APRIL)

    made = reconcile([said(first, "140"), said(again, "140")], Ties(), NOW, key=KEY)

    assert [claim.valid_from for claim in made] == [day("2024-01-01"), APRIL]
    assert len({claim.id for claim in made}) == 2


def test_the_first_stretch_of_a_value_keeps_its_id_when_another_follows() -> None:
    first = item("first", valid_from=day("2024-01-01"), valid_to=day("2025-01-01"))
    again = item("again", valid_from=APRIL)

    (alone,) = reconcile([said(first, "140")], Ties(), NOW, key=KEY)
    made = reconcile([said(first, "140"), said(again, "140")], Ties(), NOW, key=KEY)

    assert made[0].id == alone.id


def test_someone_who_gives_no_period_speaks_of_the_one_that_is_given() -> None:
    rule = item("rule", valid_from=APRIL, valid_to=day("2026-10-01"))

    found = claims([said(rule, "180"), said(item("talk", at=day("2026-06-01")), "180")])

    assert (found["180"].valid_from, found["180"].valid_to) == (APRIL, day("2026-10-01"))
    assert found["180"].confirmations == 2


def test_repeating_a_superseded_value_does_not_revive_the_old_claim() -> None:
    old, new, talk = item("old"), item("new", valid_from=APRIL), item("talk", at=day("2026-07-01"))

    ties = Ties(frozenset({supersedes(new, old)}))

    made = reconcile([said(old, "140"), said(new, "180"), said(talk, "140")], ties, NOW, key=KEY)

    assert [(claim.value, claim.status, bool(claim.conflicts_with)) for claim in made] == [
        ("140", "superseded", False),
        ("140", "active", True),
        ("180", "active", True),
    ]


def test_a_conflict_that_a_later_rule_ended_is_over() -> None:
    statements = [said(item("a"), "140"), said(item("b"), "150"), said(item("c", valid_from=APRIL), "180")]

    assert not any(claim.conflicts_with for claim in claims(statements).values())
    assert claims(statements, as_of=day("2026-02-01"))["140"].conflicts_with


def test_other_qualifiers_never_meet() -> None:
    found = claims([said(item("a"), "180", qualifier="in germany"), said(item("b"), "210")])

    assert not any(claim.conflicts_with for claim in found.values())


def test_questions_add_up_and_contradict_nothing() -> None:
    found = claims([said(item("a"), "180", kind="question"), said(item("b", valid_from=APRIL), "210")])

    assert not any(claim.conflicts_with for claim in found.values())
    assert found["180"].status == "active"


def test_statements_without_a_slot_merge_by_their_words_about_the_same_thing() -> None:
    words = {"entity": None, "statement": "First class is allowed."}
    a, b, c = item("a", account="acme"), item("b", account="acme"), item("c", account="globex")

    made = reconcile(
        [said(a, None, **words), said(b, None, **words), said(c, None, **words)], Ties(), NOW, key=KEY
    )

    assert sorted(len(claim.supports) for claim in made) == [1, 2]


def test_a_draft_rules_over_nothing_and_says_that_it_is_one() -> None:
    found = claims([said(item("rule"), "140"), said(item("plan", valid_from=APRIL, status="draft"), "180")])

    assert found["140"].status == "active"
    assert found["180"].status == "candidate"
    assert not found["140"].conflicts_with


def test_a_withdrawn_policy_is_stale_and_its_facts_are_not() -> None:
    gone = item("gone", status="withdrawn")
    fact = said(gone, "7", kind="fact", attribute="pages", statement="It has 7 pages.")

    found = claims([said(gone, "140"), fact])

    assert found["140"].status == "stale"
    assert found["7"].status == "active"


def test_a_stale_statement_ends_nothing() -> None:
    found = claims([said(item("a"), "140"), said(item("b", valid_from=APRIL), "180", status="stale")])

    assert found["140"].status == "active"
    assert found["180"].status == "stale"
    assert not found["140"].conflicts_with


def test_a_recalled_item_has_no_say_in_other_claims() -> None:
    back = item("back", state="recalled", valid_from=APRIL)

    found = claims([said(item("a"), "140"), said(back, "180")])

    assert found["140"].status == "active"
    assert found["180"].status == "recalled"


def test_recalled_words_add_nothing_to_a_claim_that_stands_without_them() -> None:
    found = claims([said(item("a"), "140"), said(item("back", state="recalled"), "140")])

    assert [support.item.id for support in found["140"].supports] == ["a"]


def test_a_newer_version_of_the_same_item_corrects_it() -> None:
    doc = item("doc")
    before = said(doc, "140", known_to=day("2026-03-01"))
    after = said(doc, "180", known_from=day("2026-03-01"))

    assert list(claims([before, after])) == ["180"]


def test_a_decision_drops_what_it_decided_against() -> None:
    a, b = said(item("a"), "140"), said(item("b"), "180")
    settled = frozenset({(b.row.assertion, a.row.assertion)})

    made = {claim.value: claim for claim in reconcile([a, b], Ties(settled=settled), NOW, key=KEY)}

    assert made["140"].superseded_by == made["180"].id
    assert not made["180"].conflicts_with


def test_a_range_and_the_exact_value_do_not_contradict() -> None:
    found = claims([said(item("a"), "180"), said(item("b"), "100–200", level="range")])

    assert not any(claim.conflicts_with for claim in found.values())


def edge(stater: str, kind: str, target: str, *, inverse: bool = False, source: str = "policies") -> EdgeRow:
    return EdgeRow(item(stater).item, kind, source, target, inverse)


def test_an_author_may_replace_their_own_item_and_not_another_members() -> None:
    mine, yours = item("mine", authority="member"), item("yours", authority="member")
    again = replace(item("again"), author=mine.author, authority="member")

    assert not obeyed([edge("mine", "supersedes", "yours")], [mine, yours])
    assert obeyed([edge("again", "supersedes", "mine")], [mine, again]) == {supersedes(again, mine)}


def test_an_owner_edits_their_own_source_and_a_folder_without_authors_edits_itself() -> None:
    owner, member = item("owner"), item("member", authority="member")
    nameless, other = (item(name, author=None, authority="member") for name in ("nameless", "other"))

    assert obeyed([edge("owner", "amends", "member")], [owner, member]) == {amends(owner, member)}
    assert obeyed([edge("nameless", "supersedes", "other")], [nameless, other])
    assert not obeyed([edge("nameless", "supersedes", "member")], [nameless, member])


def test_another_source_replaces_an_item_only_where_its_word_counts_for_more() -> None:
    rule = item("rule")
    record = item("record", source="hr", authority="system_of_record")
    mail = item("mail", source="mail", author=rule.author)

    assert obeyed([edge("record", "supersedes", "rule")], [rule, record])
    assert not obeyed([edge("mail", "supersedes", "rule")], [rule, mail])


def test_an_item_may_step_back_behind_any_other() -> None:
    low, high = item("low", authority="member"), item("high")

    assert obeyed([edge("high", "supersedes", "low", inverse=True)], [low, high]) == {supersedes(low, high)}


def test_a_successor_that_cannot_be_seen_has_no_effect() -> None:
    assert not obeyed([edge("a", "supersedes", "b", inverse=True)], [item("a")])


def test_a_recalled_successor_has_no_effect() -> None:
    assert not obeyed([edge("a", "supersedes", "b")], [item("a", state="recalled"), item("b")])
