"""Words after which a period may not end a sentence, casefolded and without their last period."""

from __future__ import annotations

__all__ = ["ALWAYS", "BEFORE_A_NUMBER", "OPENERS", "SOMETIMES"]

# Never the end of a sentence.
ALWAYS = frozenset(
    "dr mr mrs ms mx prof st mt messrs mme mlle rev hon gov sen rep gen col capt lt sgt cmdr adm pres supt "
    "e.g i.e eg ie cf viz vs v al ca approx resp incl excl esp viz cont dept assn univ misc attn tel ext fax "
    "aka a.k.a w.r.t n.b nb ed eds trans vols orig".split()
)

# The end of a sentence where a word follows that likes to begin one.
SOMETIMES = frozenset(
    "etc inc ltd corp co llc plc bros gmbh jr sr esq ave blvd rd ln apt bldg hwy a.m p.m am pm u.s "
    "u.k e.u u.n "
    "u.s.a d.c ph.d m.d b.a m.a b.sc m.sc ft lbs oz min max avg est govt intl natl mgmt hr hrs wk "
    "wks yr yrs mo mos".split()
)

# Abbreviations only before a number: "No. 5" against "No. We cannot."
BEFORE_A_NUMBER = frozenset(
    "no nos fig figs eq eqs sec secs ch chap vol pp p pg para paras art arts ref refs app tab ex "
    "item cl reg jan feb "
    "mar apr jun jul aug sep sept oct nov dec mon tue tues wed thu thur thurs fri sat sun rev ver op "
    "ln col".split()
)

# Words that begin sentences far more often than they continue a name.
OPENERS = frozenset(
    "a an the this that these those it its we our i my you your he his she her they their there here "
    "in on at for "
    "from to by with of if when while where who what which why how as after before since until "
    "because although "
    "though however but and or so yet nor also then thus hence no not yes please once all any some "
    "each every both "
    "most many more such do does did is are was were can could will would should may might must let "
    "see".split()
)
