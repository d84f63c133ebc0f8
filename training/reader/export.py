"""Writes the weights as the product reads them: 8-bit rows with a scale each, the rest as 32-bit floats.

The file: 4 bytes length of a JSON table of contents, the table, padding to 64, then the blocks (64-aligned)."""
import argparse, hashlib, json, os, struct
import numpy as np
import torch
from .model import Reader

PLACES = 300

def rows8(w):
    w = w.detach().float().numpy(); s = np.abs(w).max(1) / 127; s[s == 0] = 1
    return np.clip(np.rint(w / s[:, None]), -127, 127).astype(np.int8), s.astype(np.float32)

def f32(w): return w.detach().float().numpy().astype(np.float32)

def blocks(m):
    q, s = rows8(m.words.weight)
    yield 'words', q.tobytes(); yield 'wordScales', s.tobytes()
    yield 'places', f32(m.places.weight[:PLACES]).tobytes(); yield 'sides', f32(m.sides.weight).tobytes(); yield 'marks', f32(m.marks.weight[:6]).tobytes()
    yield 'normGain', f32(m.ln.weight).tobytes(); yield 'normBias', f32(m.ln.bias).tobytes()
    for i, l in enumerate(m.layers):
        out = b''
        for lin, ln in ((l.qkv, None), (l.out, l.ln1), (l.up, None), (l.down, l.ln2)):
            q, s = rows8(lin.weight); out += q.tobytes() + s.tobytes() + f32(lin.bias).tobytes()
            if ln is not None: out += f32(ln.weight).tobytes() + f32(ln.bias).tobytes()
        yield f'layer{i}', out
    for n in ('score', 'kind', 'begin_a', 'begin_t', 'inside_a', 'inside_t', 'option', 'left', 'cut', 'near', 'alike'):
        lin = getattr(m, n); yield n + '.w', f32(lin.weight).tobytes(); yield n + '.b', f32(lin.bias).tobytes()

def main():
    p = argparse.ArgumentParser(); p.add_argument('--checkpoint', required=True, nargs='+', help='several are averaged'); p.add_argument('--vocab', required=True); p.add_argument('--out', required=True)
    a = p.parse_args()
    states = [torch.load(c)['model'] for c in a.checkpoint]
    m = Reader(); m.load_state_dict({k: sum(s[k].float() for s in states) / len(states) for k in states[0]}); m.eval()
    vocab = [l.rstrip('\n') for l in open(a.vocab, encoding='utf8')]
    table, data = {}, bytearray()
    def add(name, b):
        while len(data) % 64: data.append(0)
        table[name] = [len(data), len(b)]; data.extend(b)
    for name, b in blocks(m): add(name, b)
    add('vocabulary', '\n'.join(vocab).encode())
    head = json.dumps({'version': 1, 'blocks': table}).encode()
    head += b' ' * (-(len(head) + 4) % 64)
    whole = struct.pack('<I', len(head)) + head + bytes(data)
    os.makedirs(os.path.dirname(a.out) or '.', exist_ok=True)
    open(a.out, 'wb').write(whole)
    print(a.out, len(whole), 'bytes, SHA-256', hashlib.sha256(whole).hexdigest())

if __name__ == '__main__': main()
