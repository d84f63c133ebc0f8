"""Batches: some requests of one page, the tools they are held against, and the labels as tensors."""
import torch
from .model import KINDS

def pad(rows, fill=0):
    n = max(len(r) for r in rows)
    return torch.tensor([list(r) + [fill] * (n - len(r)) for r in rows])

class Batch:
    pass

def make(examples, tools):
    """Requests and tools as tensors; `pair` then says which are read together."""
    b = Batch()
    b.examples, b.tool_texts = examples, tools
    b.requests = pad([e.request.ids for e in examples]); b.tools = pad([t.ids for t in tools])
    b.rl = torch.tensor([len(e.request.ids) for e in examples]); b.tl = torch.tensor([len(t.ids) for t in tools])
    return b

def pair(b, pairs):
    """`pairs`: (example index, tool index) to read together, grouped by example."""
    b.pairs = pairs
    rl, tl = b.rl, b.tl
    pe = torch.tensor([p[0] for p in pairs]); pt = torch.tensor([p[1] for p in pairs])
    b.pe, b.pt = pe, pt
    # Each pair is request tokens, then tool tokens, packed without holes between.
    n = int((rl[pe] + tl[pt]).max())
    at = torch.arange(n)[None]
    inreq = at < rl[pe][:, None]
    intool = ~inreq & (at < (rl[pe] + tl[pt])[:, None])
    b.keep = inreq | intool
    R, T = b.requests.shape[1], b.tools.shape[1]
    src = torch.where(inreq, pe[:, None] * R + at, 0)
    b.source = torch.where(intool, len(b.examples) * R + pt[:, None] * T + (at - rl[pe][:, None]), src)

def labels(b, gold_pairs_only=True):
    """Labels: per pair whether the tool serves; per argument of a gold pair its kind, tags and choices."""
    y = Batch()
    y.serves = torch.tensor([1.0 if p[1] in b.examples[p[0]].gold_here else 0.0 for p in b.pairs])
    arg_pair, arg_at, kind, tag_rows, opt_pair, opt_at, opt_from, opt_n, opt_y, left_pair, left_y = [], [], [], [], [], [], [], [], [], [], []
    for n, (e, t) in enumerate(b.pairs):
        ex, tt = b.examples[e], b.tool_texts[t]
        g = ex.gold_here.get(t)
        rl = len(ex.request.ids)
        if g is None: continue
        for i, (k, spans, chosen) in enumerate(g):
            if k == -1: continue
            arg_pair.append(n); arg_at.append(rl + tt.args[i]); kind.append(KINDS.index(k))
            row = [0] * rl
            for tokens in spans:
                for m, tk in enumerate(tokens): row[tk] = 1 if m == 0 else 2
            if k in ('true', 'false', 'choice') and not spans: row = [-1] * rl
            tag_rows.append(row)
            for j, (a, at, _, words) in enumerate([o for o in tt.opts if o[0] == i]):
                opt_pair.append(n); opt_at.append(rl + at); opt_from.append(at + 1); opt_n.append(words); opt_y.append(1.0 if j in chosen else 0.0)
        if ex.left is not None:
            left_pair.append(n); left_y.append([1 if i in ex.left else 0 for i in range(rl)])
    y.arg_pair, y.arg_at, y.kind = torch.tensor(arg_pair, dtype=torch.long), torch.tensor(arg_at, dtype=torch.long), torch.tensor(kind, dtype=torch.long)
    y.tags = pad(tag_rows, -1) if tag_rows else None
    y.opt_pair, y.opt_at, y.opt_y = torch.tensor(opt_pair, dtype=torch.long), torch.tensor(opt_at, dtype=torch.long), torch.tensor(opt_y)
    y.opt_from, y.opt_n = torch.tensor(opt_from, dtype=torch.long), torch.tensor(opt_n, dtype=torch.long)
    y.left_pair = torch.tensor(left_pair, dtype=torch.long); y.left = pad(left_y, -1) if left_y else None
    y.cuts = pad([[0 if i == 0 or not s or s[0] else (1 if i in ex.cuts else 0) for i, s in enumerate(ex.request.spans)] for ex in b.examples], -1)
    return y
