"""What canonical tables say, row by row, without what chance gave: audiences by their clauses."""

from __future__ import annotations

EVENTS = """
select e.source, e.id, e.seq, e.op, e.version, e.at, e.accepted_at, e.importer, p.content::text
  from muniment.event e left join muniment.payload p using (tenant, source, id, seq)
 where e.tenant = %(tenant)s
"""
STREAMS = """
select source, id, last_seq, done_seq, attempts, dead from muniment.stream
 where tenant = %(tenant)s and last_seq > 0 -- a key that was only waited for says nothing
"""
QUARANTINE = """
select distinct source, id, reason from muniment.quarantine
 where tenant = %(tenant)s and reason not like '%%was erased%%' -- whoever replays more, meets it more often
"""
DECIDED = """
select d.number, a.clauses, d.action, d.subject, d.other, d.source, d.id, d.saw, d.reason, d.decided_by,
       d.decided_at
  from muniment.decision d left join muniment.audience a using (tenant, audience)
 where d.tenant = %(tenant)s
"""
REPORTED = """
select r.report, a.clauses, r.citation, r.problem, r.reported_by, r.reported_at
  from muniment.report r left join muniment.audience a using (tenant, audience)
 where r.tenant = %(tenant)s
"""
ALIASED = """
select l.entry, l.name, l.position, l.means, l.kind, l.names, a.clauses, l.set_by, l.known::text
  from muniment.alias l left join muniment.audience a using (tenant, audience)
 where l.tenant = %(tenant)s
"""
JOINED = """
select d.decision, d.action, a.clauses, d."into", d.entities, d.others, d.target, d.target_name,
       d.names, d.sources, d.items, d.saw, d.reason, d.decided_by, d.decided_at, d.undone_by, d.undone_at
  from muniment.entity_decision d left join muniment.audience a using (tenant, audience)
 where d.tenant = %(tenant)s
"""
GIVEN = """
select source, id, purpose, unit, extractor, input, reply, outcome, reason, statements, refused,
       tokens_in, tokens_out, cost, given_at, at
  from muniment.model_output
 where tenant = %(tenant)s
"""
LOOKED_AT = """
select source, id, extractor, seq, attempts, run_at, failed from muniment.distilling where tenant = %(tenant)s
"""
REVERTED = """
select v.source, v.id, v.seq, r.since, r.at, r.undone_at
  from muniment.reverted_event v join muniment.reversal r using (tenant, reversal)
 where v.tenant = %(tenant)s
"""
SUPPRESSED = "select digest, kind from muniment.suppression where tenant = %(tenant)s and kind <> 'line'"

CANONICAL = {
    "event": EVENTS,
    "stream": STREAMS,
    "quarantine": QUARANTINE,
    "decision": DECIDED,
    "report": REPORTED,
    "alias": ALIASED,
    "joined": JOINED,
    "output": GIVEN,
    "looked at": LOOKED_AT,
    "reverted": REVERTED,
    "suppressed": SUPPRESSED,
}
