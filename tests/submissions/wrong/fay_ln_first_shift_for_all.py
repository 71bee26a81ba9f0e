# wrong: the shift of channel 0 is added to every channel. Fails: LayerNorm.gradient
from engine import *
from nn import *
from engine import Value
P=lambda A,B:[[a+b for a,b in zip(p,q)]for p,q in zip(A,B)]
class MultiHeadAttention(Module):
    def __init__(s,embed_dim,num_heads):
        super().__init__();assert embed_dim%num_heads<1;s.n=num_heads;s.d=embed_dim//num_heads
        s.p=[Linear(embed_dim,embed_dim)for _ in'qkvo']
    def forward(s,x,causal=True):
        d=s.d;q,k,v,o=s.p;Q,K,V=([f(r)for r in x]for f in(q,k,v));R=range(len(x));H=range(0,s.n*d,d)
        def A(i,a):
            J=[j for j in R if j<=i or not causal]
            w=softmax([sum(Q[i][c]*K[j][c]for c in range(a,a+d))/d**.5 for j in J])
            return[sum(p*V[j][c]for p,j in zip(w,J))for c in range(a,a+d)]
        return[o([e for a in H for e in A(i,a)])for i in R]
class LayerNorm(Module):
    def __init__(s,dim,eps=1e-5):super().__init__();s.e=eps;s.g=[Value(1)for _ in range(dim)];s.b=[Value(0)for _ in range(dim)]
    def forward(s,x):
        n=len(x);m=sum(x)/n;c=[v-m for v in x];r=(sum(v*v for v in c)/n+s.e)**-.5
        return[v*r*g+s.b[0]for v,g in zip(c,s.g)]
class FeedForward(Module):
    def __init__(s,embed_dim,hidden_dim=None):
        super().__init__();h=4*embed_dim if hidden_dim is None else hidden_dim;s.a=Linear(embed_dim,h);s.z=Linear(h,embed_dim)
    def forward(s,x):return s.z([v.relu()for v in s.a(x)])
class TransformerBlock(Module):
    def __init__(s,embed_dim,num_heads):
        super().__init__();s.l,s.k=LayerNorm(embed_dim),LayerNorm(embed_dim);s.m=MultiHeadAttention(embed_dim,num_heads);s.f=FeedForward(embed_dim)
    def forward(s,x):y=P(x,s.m([s.l(r)for r in x]));return P(y,[s.f(s.k(r))for r in y])
