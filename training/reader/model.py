"""The reader: a six-layer MiniLM whose lower layers read request and tool apart (a tool is read once and
kept), whose upper layers read them together, with heads for the tool, its arguments and what is left over."""
import math
import torch
import torch.nn as nn
import torch.nn.functional as F

HIDDEN, HEADS, LAYERS, JOIN, BI, MARKS = 384, 12, 6, 3, 64, 6
KINDS = ['none', 'span', 'choice', 'true', 'false', 'ref']

class Layer(nn.Module):
    def __init__(self):
        super().__init__()
        self.qkv = nn.Linear(HIDDEN, 3 * HIDDEN); self.out = nn.Linear(HIDDEN, HIDDEN)
        self.ln1 = nn.LayerNorm(HIDDEN, eps=1e-12); self.ln2 = nn.LayerNorm(HIDDEN, eps=1e-12)
        self.up = nn.Linear(HIDDEN, 4 * HIDDEN); self.down = nn.Linear(4 * HIDDEN, HIDDEN)
    def forward(self, x, mask, drop):
        b, n, _ = x.shape
        q, k, v = self.qkv(x).view(b, n, 3, HEADS, HIDDEN // HEADS).permute(2, 0, 3, 1, 4)
        a = F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
        a = self.out(a.transpose(1, 2).reshape(b, n, HIDDEN))
        x = self.ln1(x + F.dropout(a, drop, self.training))
        f = self.down(F.gelu(self.up(x)))
        return self.ln2(x + F.dropout(f, drop, self.training))

class Reader(nn.Module):
    def __init__(self, vocab=30522, drop=0.1):
        super().__init__()
        self.words = nn.Embedding(vocab, HIDDEN); self.words.weight.requires_grad = False  # kept as they come: fewer ways to overfit
        self.marks = nn.Embedding(MARKS + 1, HIDDEN, padding_idx=MARKS); self.places = nn.Embedding(512, HIDDEN); self.sides = nn.Embedding(2, HIDDEN)
        self.ln = nn.LayerNorm(HIDDEN, eps=1e-12)
        self.layers = nn.ModuleList(Layer() for _ in range(LAYERS))
        self.score = nn.Linear(2 * HIDDEN, 1)
        # How near the two texts are, each read by itself: what MiniLM brings along.
        self.near = nn.Linear(1, 1)
        with torch.no_grad(): self.near.weight.fill_(10.0); self.near.bias.fill_(-4.0)
        self.kind = nn.Linear(HIDDEN, len(KINDS))
        self.begin_a = nn.Linear(HIDDEN, BI); self.begin_t = nn.Linear(HIDDEN, BI)
        self.inside_a = nn.Linear(HIDDEN, BI); self.inside_t = nn.Linear(HIDDEN, BI)
        self.option = nn.Linear(HIDDEN, 1)
        # How like the words of an option are to the likest word of the request.
        self.alike = nn.Linear(1, 1)
        with torch.no_grad(): self.alike.weight.fill_(8.0); self.alike.bias.fill_(-5.0)
        self.left = nn.Linear(HIDDEN, 1)
        self.cut = nn.Linear(HIDDEN, 1)
        self.drop = drop
    def embed(self, ids, side):
        p = torch.arange(ids.shape[1])
        x = self.words(ids) + self.marks(ids.clamp(max=MARKS)) + self.places(p)[None] + self.sides.weight[side][None, None]
        return F.dropout(self.ln(x), self.drop, self.training)
    def lower(self, ids, side):
        """ids padded with 0 → hidden states after the lower layers, each text by itself."""
        mask = (ids != 0)[:, None, None, :]
        x = self.embed(ids, side)
        for layer in self.layers[:JOIN]: x = layer(x, mask, self.drop)
        return x
    def upper(self, x, keep):
        mask = keep[:, None, None, :]
        for layer in self.layers[JOIN:]: x = layer(x, mask, self.drop)
        return x
    def vector(self, x, mask):
        """One text by itself through all layers: the mean of its tokens, of length 1."""
        x = self.upper(x, mask)
        m = mask[..., None].to(x.dtype)
        return F.normalize(((x * m).sum(1) / m.sum(1)).float(), dim=-1)
    def cuts(self, request): return self.cut(request).squeeze(-1)

def load_minilm(model, path):
    """Starts from all-MiniLM-L6-v2 (Apache-2.0)."""
    from safetensors.torch import load_file
    w = load_file(path); g = lambda k: w[k]
    with torch.no_grad():
        model.words.weight.copy_(g('embeddings.word_embeddings.weight')); model.places.weight.copy_(g('embeddings.position_embeddings.weight'))
        model.sides.weight.copy_(g('embeddings.token_type_embeddings.weight'))
        model.ln.weight.copy_(g('embeddings.LayerNorm.weight')); model.ln.bias.copy_(g('embeddings.LayerNorm.bias'))
        for i, l in enumerate(model.layers):
            p = f'encoder.layer.{i}.'
            for part in ('weight', 'bias'):
                getattr(l.qkv, part).copy_(torch.cat([g(p + f'attention.self.{n}.{part}') for n in ('query', 'key', 'value')]))
                getattr(l.out, part).copy_(g(p + f'attention.output.dense.{part}'))
                getattr(l.ln1, part).copy_(g(p + f'attention.output.LayerNorm.{part}'))
                getattr(l.up, part).copy_(g(p + f'intermediate.dense.{part}'))
                getattr(l.down, part).copy_(g(p + f'output.dense.{part}'))
                getattr(l.ln2, part).copy_(g(p + f'output.LayerNorm.{part}'))
        # The marks start from words that mean much the same: function, optional, required, option, earlier.
        model.marks.weight.zero_()
        for mark, word in ((1, 3853), (2, 11887), (3, 3223), (4, 5724), (5, 3041)):
            model.words.weight[mark] = 0
            model.marks.weight[mark] = model.words.weight[word]
