"""Writes what the network says of a few requests, for the test that holds the product's arithmetic to it."""
import argparse, json, os
import torch
from .batches import make
from .encode import RequestText, ToolText, tokenizer
from .model import Reader
from .train import forward

TOOLS = [
    {'name': 'findBoats', 'description': 'Boats that are free.', 'inputSchema': {'type': 'object', 'properties': {
        'harbour': {'type': 'string', 'enum': ['north_pier', 'old-town', 'Marina']}, 'from': {'type': 'string', 'format': 'date'},
        'crew': {'type': ['integer', 'null'], 'description': 'People on board'}, 'skipper': {'type': 'boolean'}}, 'required': ['harbour']}},
    {'name': 'bookings.cancel', 'description': 'Use this to cancel a booking.', 'inputSchema': {'type': 'object', 'properties': {
        'booking_id': {'type': 'string'}, 'reason': {'anyOf': [{'const': 'w', 'title': 'Bad weather'}, {'const': 'o', 'title': 'Other'}]}}}},
    {'name': 'help', 'description': ''},
]
REQUESTS = [('a boat for six from the old town next Friday, with a skipper', []), ('and on sunday?', ['boats at the marina on saturday']),
            ('Cancel B-77 – it’s going to rain', ['hello']), ('Wie spät ist es in 東京?', []), ('find a boat and cancel my other booking', [])]

def main():
    p = argparse.ArgumentParser(); p.add_argument('--checkpoint', required=True, nargs='+'); p.add_argument('--vocab', required=True); p.add_argument('--out', required=True)
    a = p.parse_args()
    states = [torch.load(c)['model'] for c in a.checkpoint]
    m = Reader(); m.load_state_dict({k: sum(s[k].float() for s in states) / len(states) for k in states[0]}); m.eval()
    tok = tokenizer(a.vocab); tools = [ToolText(tok, t) for t in TOOLS]
    class Asked: pass
    out = []
    for text, earlier in REQUESTS:
        e = Asked(); e.request = RequestText(tok, text, earlier)
        b = make([e], tools)
        with torch.no_grad(): score, _, cut, _ = forward(m, b, lambda near: [(0, i) for i in range(len(tools))])
        out.append({'request': text, 'earlier': earlier, 'ids': e.request.ids, 'scores': [round(x, 4) for x in score.tolist()],
                    'cuts': [i for i, x in enumerate(cut[0].tolist()) if i > 1 and x > 0 and e.request.spans[i] and e.request.spans[i][0] == 0]})
    os.makedirs(os.path.dirname(a.out) or '.', exist_ok=True)
    json.dump({'tools': TOOLS, 'toolIds': [t.ids for t in tools], 'requests': out}, open(a.out, 'w'), ensure_ascii=False, indent=1)

if __name__ == '__main__': main()
