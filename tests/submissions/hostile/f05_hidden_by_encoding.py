# coding: utf-7
# attack: F05 hides code in a comment that its encoding ends
# side effect: none
# expect: score <= 0, LayerNorm unloadable
# +AAo-raise SystemExit(0)
