# wrong: the ReLU sits before the first layer, so nothing bends between the two layers. Fails: FeedForward.values
from engine import *
from nn import *

class MultiHeadAttention(Module):
 def __init__(s,embed_dim,num_heads):
  super().__init__()
  assert embed_dim%num_heads==0
  s.d=embed_dim//num_heads
  s.h=[SelfAttention(s.d)for _ in range(num_heads)]
  s.o=Linear(embed_dim,embed_dim)

 def forward(s,x,causal=True):
  z=[h([r[i*s.d:][:s.d]for r in x],causal)for i,h in enumerate(s.h)]
  return[s.o(sum(p,[]))for p in zip(*z)]

class LayerNorm(Module):
 def __init__(s,dim,eps=1e-5):
  super().__init__()
  s.e,s.n=eps,dim
  s.g,s.b=[[Value(i)for _ in range(dim)]for i in(1,0)]

 def forward(s,x):
  m=sum(x)/s.n
  c=[a-m for a in x]
  v=sum(a*a for a in c)/s.n
  return[a*(v+s.e)**-.5*g+b for a,g,b in zip(c,s.g,s.b)]

class FeedForward(Module):
 def __init__(s,embed_dim,hidden_dim=None):
  super().__init__()
  w=[embed_dim,4*embed_dim if hidden_dim is None else hidden_dim,embed_dim]
  s.l=[*map(Linear,w,w[1:])]

 def forward(s,x):
  for i,f in enumerate(s.l):
   if i<1:x=[a.relu()for a in x]
   x=f(x)
  return x

class TransformerBlock(Module):
 def __init__(s,embed_dim,num_heads):
  super().__init__()
  s.l,s.a,s.m,s.f=LayerNorm(embed_dim),MultiHeadAttention(embed_dim,num_heads),LayerNorm(embed_dim),FeedForward(embed_dim)

 def forward(s,x):
  p=lambda u,v:[[a+b for a,b in zip(*r)]for r in zip(u,v)]
  y=p(x,s.a([*map(s.l,x)]))
  return p(y,[s.f(s.m(r))for r in y])
