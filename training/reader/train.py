"""Trains the reader. `python -m reader.train --help`; README.md has the two commands that make the weights."""
import argparse, collections, glob, json, math, os, random, time
import torch
import torch.nn.functional as F
from . import batches
from .data import from_dialogues, from_site
from .encode import tokenizer
from .model import KINDS, Reader, load_minilm
from .written import parse

def forward(model, b, choose):
    """Scores and hidden states of the pairs that `choose` takes by nearness, cut logits, and all nearness."""
    r = model.lower(b.requests, 0); t = model.lower(b.tools, 1)
    near = model.vector(r, b.requests != 0) @ model.vector(t, b.tools != 0).T
    batches.pair(b, choose(near.detach()))
    flat = torch.cat([r.reshape(-1, r.shape[-1]), t.reshape(-1, t.shape[-1])])
    # Pairs of about one length together: little is spent on padding.
    lengths = b.keep.sum(1); order = lengths.argsort(); pieces = []
    for rows in order.split(14):
        n = int(lengths[rows].max())
        pieces.append(F.pad(model.upper(flat[b.source[rows, :n]], b.keep[rows, :n]), (0, 0, 0, b.keep.shape[1] - n)))
    h = torch.cat(pieces)[order.argsort()]
    rows = torch.arange(len(b.pairs))
    score = model.score(torch.cat([h[:, 0], h[rows, b.rl[b.pe]]], -1)).squeeze(-1).float()
    score = score + model.near(near[b.pe, b.pt][:, None].float()).squeeze(-1)
    b.request_states, b.tool_states = r, t
    return score, h, model.cuts(r), near

def tag_logits(model, h, pair, at, width):
    """For each argument and request token: logits of outside, begin, inside."""
    a = h[pair, at]
    t = h[pair][:, :width]
    begin = torch.einsum('ad,atd->at', model.begin_a(a), model.begin_t(t)) / 8
    inside = torch.einsum('ad,atd->at', model.inside_a(a), model.inside_t(t)) / 8
    return torch.stack([torch.zeros_like(begin), begin, inside], -1), a

def option_logits(model, b, h, pair, at, first, n):
    """Of options at `at` in their pair, whose words are the `n` tokens of the tool from `first` on."""
    sums = F.pad(b.tool_states.float().cumsum(1), (0, 0, 1, 0))
    tool, example = b.pt[pair], b.pe[pair]
    v = F.normalize(sums[tool, first + n] - sums[tool, first], dim=-1)
    r = F.normalize(b.request_states.float(), dim=-1)[example]
    like = torch.einsum('kd,ktd->kt', v, r)
    inside = (torch.arange(r.shape[1])[None] < b.rl[example][:, None]) & (torch.arange(r.shape[1])[None] > 0)
    best = like.masked_fill(~inside, -1).max(1).values
    return model.option(h[pair, at]).squeeze(-1) + model.alike(best[:, None]).squeeze(-1)

def loss_of(model, b, choose):
    score, h, cut, near = forward(model, b, choose)
    y = batches.labels(b)
    h = h.float(); parts = {}
    # By nearness alone: the tools of the page against each other.
    one = [(n, next(iter(e.gold_here))) for n, e in enumerate(b.examples) if len(e.gold_here) == 1]
    if one:
        parts['near'] = 0.5 * F.cross_entropy(18 * near.float()[[n for n, _ in one]], torch.tensor([t for _, t in one]))
    # Which tool: against the others and against none.
    by = collections.defaultdict(list)
    for n, (e, _) in enumerate(b.pairs): by[e].append(n)
    tool = 0.0
    for e, ns in by.items():
        s = score[ns]; g = y.serves[ns]
        if b.examples[e].several:
            tool = tool + F.binary_cross_entropy_with_logits(s, g)
        else:
            full = torch.cat([s, torch.zeros(1)])
            want = int(g.argmax()) if g.sum() > 0 else len(ns)
            tool = tool + F.cross_entropy(full[None], torch.tensor([want]), label_smoothing=0.03) + 0.3 * F.binary_cross_entropy_with_logits(s, g)
    parts['tool'] = tool / len(by)
    if len(y.arg_pair):
        tags, a = tag_logits(model, h, y.arg_pair, y.arg_at, y.tags.shape[1])
        parts['kind'] = F.cross_entropy(model.kind(a), y.kind)
        flat = y.tags.reshape(-1); ok = flat >= 0
        if ok.any():
            each = F.cross_entropy(tags.reshape(-1, 3)[ok], flat[ok], weight=torch.tensor([1.0, 3.0, 3.0]), reduction='sum')
            parts['tags'] = 0.5 * each / max(1, int((flat > 0).sum()))
    if len(y.opt_pair):
        o = option_logits(model, b, h, y.opt_pair, y.opt_at, y.opt_from, y.opt_n)
        parts['option'] = F.binary_cross_entropy_with_logits(o, y.opt_y, pos_weight=torch.tensor(2.0))
    if len(y.left_pair):
        l = model.left(h[y.left_pair][:, :y.left.shape[1]]).squeeze(-1)
        ok = y.left >= 0
        parts['left'] = F.binary_cross_entropy_with_logits(l[ok], y.left[ok].float(), pos_weight=torch.tensor(4.0))
    ok = y.cuts >= 0
    parts['cut'] = F.binary_cross_entropy_with_logits(cut.float()[ok], y.cuts[ok].float(), pos_weight=torch.tensor(4.0))
    return sum(parts.values()), {k: float(v.detach()) for k, v in parts.items()}

def draw(group, groups, rng, size, negatives=2):
    """Batches of one page with its tools and two of another page; pairs: the tools that serve, and the nearest
    and some other that do not."""
    order = list(group.examples); rng.shuffle(order)
    other = rng.choice(groups)
    names = {t.name for t in group.tools}
    foreign = [t for t in rng.sample(other.tools, min(2, len(other.tools))) if t.name not in names] if other is not group else []
    tools = group.tools + foreign
    for at in range(0, len(order), size):
        chunk = order[at:at + size]
        for e in chunk: e.gold_here = e.gold
        def choose(near, chunk=chunk):
            pairs = []
            for n, e in enumerate(chunk):
                rest = [i for i in near[n].argsort(descending=True).tolist() if i not in e.gold]
                hard = rest[:negatives - 1 + (not e.gold)]
                far = rest[len(hard):]
                pairs += [(n, t) for t in list(e.gold) + hard + ([rng.choice(far)] if far else [])]
            return pairs
        yield batches.make(chunk, tools), choose

def spans_of(tags):
    """Runs of begin and inside tokens."""
    out = []
    for i, t in enumerate(tags):
        if t == 1: out.append([i])
        elif t == 2:
            if out and out[-1][-1] == i - 1: out[-1].append(i)
            else: out.append([i])
    return out

@torch.no_grad()
def evaluate(model, groups):
    model.eval()
    n = collections.Counter(); tool_ok = collections.Counter(); full_ok = collections.Counter()
    slot_n = slot_ok = left_n = left_ok = left_pred = cut_n = cut_ok = 0
    for g in groups:
        for at in range(0, len(g.examples), 16):
            chunk = g.examples[at:at + 16]
            pairs = [(i, t) for i in range(len(chunk)) for t in range(len(g.tools))]
            b = batches.make(chunk, g.tools)
            with torch.autocast('cpu', dtype=torch.bfloat16): score, h, cut, _ = forward(model, b, lambda near: pairs)
            score, h = score.float(), h.float()
            for i, e in enumerate(chunk):
                s = score[i * len(g.tools):(i + 1) * len(g.tools)]
                best = int(s.argmax()) if float(s.max()) > 0 else None
                n[e.source] += 1
                got = {k for k, s2 in enumerate(s.tolist()) if s2 > 0} if e.several else ({best} if best is not None else set())
                right = got == set(e.gold)
                tool_ok[e.source] += right
                full = right
                for t, gold in e.gold.items():
                    if gold is None: continue
                    p = i * len(g.tools) + t
                    tt = g.tools[t]
                    if not tt.slots: continue
                    rl = len(e.request.ids)
                    pair = torch.full((len(tt.slots),), p); where = torch.tensor([rl + a for a in tt.args])
                    tags, a = tag_logits(model, h, pair, where, rl)
                    kinds = model.kind(a).argmax(-1).tolist(); tags = tags.argmax(-1).tolist()
                    for j, (k, spans, chosen) in enumerate(gold):
                        if k == -1: continue
                        ok = KINDS[kinds[j]] == k
                        if ok and k in ('span', 'ref'): ok = spans_of(tags[j]) == spans
                        if ok and k == 'choice':
                            os_ = [o for o in tt.opts if o[0] == j]
                            l = option_logits(model, b, h, torch.full((len(os_),), p), torch.tensor([rl + o[1] for o in os_]), torch.tensor([o[1] + 1 for o in os_]), torch.tensor([o[3] for o in os_])).tolist()
                            picked = {x for x, v in enumerate(l) if v > 0} or {max(range(len(l)), key=lambda z: l[z])}
                            if len(chosen) == 1 and tt.slots[j]['kind'] != 'list': picked = {max(range(len(l)), key=lambda z: l[z])}
                            ok = picked == set(chosen)
                        if k != 'none': slot_n += 1; slot_ok += ok
                        full = full and ok
                    if e.left is not None:
                        l = (model.left(h[p, :rl]).squeeze(-1) > 0).tolist()
                        got_l, want_l = {x for x, v in enumerate(l) if v}, set(e.left)
                        left_n += bool(want_l); left_ok += bool(want_l & got_l) if want_l else 0; left_pred += bool(got_l) and not want_l
                if e.source in ('several',):
                    c = {x for x in range(1, len(e.request.ids)) if float(cut[i, x]) > 0 and e.request.spans[x] and e.request.spans[x][0] == 0}
                    cut_n += 1; cut_ok += c == set(e.cuts)
                full_ok[e.source] += full
    model.train()
    total = sum(n.values())
    text = f"tool {sum(tool_ok.values())/total:.3f} full {sum(full_ok.values())/total:.3f} slots {slot_ok/max(1,slot_n):.3f} left {left_ok}/{left_n} false {left_pred} cut {cut_ok}/{cut_n} | "
    return text + ' '.join(f"{k} {tool_ok[k]}/{full_ok[k]}/{v}" for k, v in sorted(n.items()))

def main():
    p = argparse.ArgumentParser()
    p.add_argument('--minilm', required=True, help='folder of all-MiniLM-L6-v2: model.safetensors, vocab.txt')
    p.add_argument('--sites', default='', help='folder of written sites')
    p.add_argument('--sgd', default='', help='folder of the Schema-Guided Dialogue dataset')
    p.add_argument('--sgd-keep', type=float, default=0.12)
    p.add_argument('--held-out', type=int, default=9, help='sites whose number divides by this are held out; 0: none')
    p.add_argument('--start', default='', help='checkpoint to start from')
    p.add_argument('--out', required=True)
    p.add_argument('--epochs', type=float, default=3); p.add_argument('--minutes', type=float, default=1e9)
    p.add_argument('--lr', type=float, default=2e-4); p.add_argument('--size', type=int, default=12)
    p.add_argument('--seed', type=int, default=7); p.add_argument('--threads', type=int, default=2)
    p.add_argument('--part', type=float, default=1.0, help='share of the written training sites, for a learning curve')
    a = p.parse_args()
    torch.set_num_threads(a.threads); torch.manual_seed(a.seed); rng = random.Random(a.seed)
    tok = tokenizer(os.path.join(a.minilm, 'vocab.txt'))
    train, held = read_sites(tok, a, rng) if a.sites else ([], [])
    if a.sgd:
        for variant in ('', 'sgd_x/data/v2/', 'sgd_x/data/v4/', 'sgd_x/data/v5/'):
            schema = json.load(open(os.path.join(a.sgd, variant + 'train/schema.json')))
            base = json.load(open(os.path.join(a.sgd, 'train/schema.json')))
            train += renamed(tok, a.sgd, schema, base, rng, a.sgd_keep / 4)
    print(f'{len(train)} pages, {sum(len(g.examples) for g in train)} requests; held out {len(held)} pages, {sum(len(g.examples) for g in held)} requests', flush=True)
    model = Reader(); load_minilm(model, os.path.join(a.minilm, 'model.safetensors'))
    if a.start: model.load_state_dict(torch.load(a.start)['model'], strict=False)
    body = [q for n, q in model.named_parameters() if q.requires_grad and n.split('.')[0] in ('places', 'sides', 'ln', 'layers')]
    heads = [q for n, q in model.named_parameters() if q.requires_grad and n.split('.')[0] not in ('places', 'sides', 'ln', 'layers')]
    opt = torch.optim.AdamW([{'params': body, 'lr': a.lr, 'scale': 1}, {'params': heads, 'lr': 4 * a.lr, 'scale': 4}], weight_decay=0.01)
    per = sum(math.ceil(len(g.examples) / a.size) for g in train); total = int(per * a.epochs)
    start = time.time(); step = 0; seen = collections.Counter(); shown = 0
    sites = [g for g in train if not g.name.startswith('sgd')] or train
    model.train()
    epoch = 0
    while step < total:
        if a.sites and epoch:
            if held: print(f'after {epoch} epochs, held out:', evaluate(model, held), flush=True)
            torch.save({'model': model.state_dict()}, a.out)
            train, held = read_sites(tok, a, rng); sites = train
            print(f'{len(train)} pages, {sum(len(g.examples) for g in train)} requests', flush=True)
        epoch += 1
        gens = [(g, draw(g, sites if rng.random() < .7 else train, rng, a.size)) for g in train]
        queue = [i for i, (g, _) in enumerate(gens) for _ in range(math.ceil(len(g.examples) / a.size))]
        rng.shuffle(queue)
        for i in queue:
            spent = (time.time() - start) / 60
            done = max(step / total, spent / a.minutes)
            if done >= 1: step = total; break
            b, choose = next(gens[i][1])
            rate = min(1, (step + 1) / 100) * (0.5 * (1 + math.cos(math.pi * done)) * 0.97 + 0.03)
            for gr in opt.param_groups: gr['lr'] = a.lr * gr['scale'] * rate
            with torch.autocast('cpu', dtype=torch.bfloat16): loss, parts = loss_of(model, b, choose)
            opt.zero_grad(); loss.backward(); torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0); opt.step()
            for k, v in parts.items(): seen[k] += v
            step += 1; shown += 1
            if step % 50 == 0:
                print(f"{step}/{total} {spent:.1f} min " + ' '.join(f'{k} {v/shown:.3f}' for k, v in seen.items()), flush=True); seen.clear(); shown = 0
            if step % 500 == 0: torch.save({'model': model.state_dict()}, a.out)
    torch.save({'model': model.state_dict()}, a.out)
    if held: print('held out:', evaluate(model, held), flush=True)

def read_sites(tok, a, rng):
    """The written sites; those whose number divides by --held-out are held out, whole."""
    train, held = [], []
    for f in sorted(glob.glob(os.path.join(a.sites, '*.txt'))):
        site, errors = parse(f)
        if errors: print('skipped, not clean:', errors[0], flush=True); continue
        number = int(os.path.basename(f)[:3])
        out = a.held_out and number % a.held_out == 0
        g = from_site(tok, site, rng, 0.0 if out else 0.35)
        if g.examples: (held if out else train).append(g)
    if a.part < 1: train = rng.sample(train, max(1, int(len(train) * a.part)))
    return train, held

def renamed(tok, folder, schema, base, rng, keep):
    """Groups of one wording of the schema: the dialogues keep the base names, which are mapped by position."""
    services, names = {}, {}
    for new, old in zip(schema, base):
        services[old['service_name']] = new
        m = {o['name']: n['name'] for o, n in zip(old['slots'], new['slots'])}
        i = {o['name']: n['name'] for o, n in zip(old['intents'], new['intents'])}
        names[old['service_name']] = (m, i)
    out = []
    files = sorted(glob.glob(os.path.join(folder, 'train/dialogues_*.json')))
    for f in rng.sample(files, max(1, len(files) // 3)):
        dialogues = json.load(open(f))
        for d in dialogues:
            for turn in d['turns']:
                for fr in turn['frames']:
                    m, i = names[fr['service']]
                    for s in fr.get('slots', []): s['slot'] = m.get(s['slot'], s['slot'])
                    for act in fr['actions']: act['slot'] = m.get(act['slot'], act['slot'])
                    if 'state' in fr:
                        fr['state']['active_intent'] = i.get(fr['state']['active_intent'], fr['state']['active_intent'])
                        fr['state']['slot_values'] = {m.get(k, k): v for k, v in fr['state']['slot_values'].items()}
        out += from_dialogues(tok, dialogues, services, rng, min(1, keep * 3))
    merged = {}
    for g in out:
        if g.name in merged: merged[g.name].examples += g.examples
        else: merged[g.name] = g
    for k in merged.values():
        pass
    return list(merged.values())

if __name__ == '__main__': main()
