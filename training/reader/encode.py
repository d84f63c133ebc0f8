"""How a request and a tool become tokens. The TypeScript side (lib/reader) follows this file to the letter.

A tool: TOOL name words : description, then for each argument ARG name words ( type ) description, and for
each of its choices OPT words. A request: CLS words, then for each earlier thing said EARLIER words.
"""
import re

from tokenizers import BertWordPieceTokenizer

CLS, SEP, TOOL, ARG, NEEDED, OPT, EARLIER = 101, 102, 1, 2, 3, 4, 5
MAX_REQUEST, MAX_EARLIER, MAX_TOOL = 64, 48, 224
MAX_DESCRIPTION, MAX_ABOUT, MAX_OPTION, MAX_OPTIONS, MAX_ARGUMENTS = 40, 18, 6, 16, 16

def tokenizer(vocab):
    return BertWordPieceTokenizer(vocab, lowercase=True)

def identifier_words(name):
    """`addToCart`, `add_to_cart`, `cart.add` → add to cart."""
    s = re.sub(r'([a-z0-9])([A-Z])', r'\1 \2', name)
    s = re.sub(r'([A-Z]+)([A-Z][a-z])', r'\1 \2', s)
    return re.sub(r'[^A-Za-z0-9\u00c0-\uffff]+', ' ', s).strip().lower()

def choices_of(schema):
    """The values an argument may take with their words: enum, or anyOf/oneOf of const and title."""
    item = schema
    if schema.get('type') == 'array' and isinstance(schema.get('items'), dict): item = schema['items']
    if isinstance(item.get('enum'), list):
        return [(v, identifier_words(str(v)) or str(v)) for v in item['enum'] if not isinstance(v, (dict, list))]
    for key in ('oneOf', 'anyOf'):
        options = item.get(key)
        if isinstance(options, list) and options and all(isinstance(o, dict) and 'const' in o for o in options):
            return [(o['const'], str(o.get('title') or identifier_words(str(o['const'])))) for o in options]
    return []

def type_of(schema):
    t = schema.get('type')
    if isinstance(t, list): t = next((x for x in t if x != 'null'), 'string')
    if t is None:
        for key in ('anyOf', 'oneOf'):
            for o in schema.get(key) or []:
                if isinstance(o, dict) and o.get('type') not in (None, 'null'): return type_of(o)
        t = 'object' if 'properties' in schema else 'string'
    if t == 'array':
        return 'list'
    fmt = schema.get('format')
    if t == 'string' and fmt in ('date', 'time', 'date-time', 'email', 'uri'): return fmt
    return t

def slots_of(schema, path=(), needed=True, depth=0):
    """The leaves of an input schema: (path, schema, needed)."""
    out = []
    if not isinstance(schema, dict): return out
    required = set(schema.get('required') or [])
    for name, sub in (schema.get('properties') or {}).items():
        if not isinstance(sub, dict): sub = {}
        must = needed and name in required
        if type_of(sub) == 'object' and sub.get('properties') and depth < 3:
            out += slots_of(sub, path + (name,), must, depth + 1)
        else:
            out.append((path + (name,), sub, must))
    return out

class ToolText:
    """The tokens of a tool with where its arguments and choices are."""
    def __init__(self, tok, tool):
        enc = lambda s, n: tok.encode(s[:1000], add_special_tokens=False).ids[:n]
        self.name = tool['name']
        ids = [TOOL] + enc(identifier_words(tool['name']), 12)
        about = ' '.join(str(tool.get('description') or tool.get('title') or '').split())
        if about: ids += enc(': ' + about, MAX_DESCRIPTION)
        self.slots, self.args, self.opts = [], [], []
        slots = sorted(slots_of(tool.get('inputSchema') or {}), key=lambda s: not s[2])
        for path, schema, must in slots[:MAX_ARGUMENTS]:
            kind = type_of(schema)
            text = identifier_words(' '.join(path)) + ' ( ' + kind + ' )'
            part = [NEEDED if must else ARG] + enc(text, 14)
            title = str(schema.get('description') or schema.get('title') or '')
            if title: part += enc(' '.join(title.split()), MAX_ABOUT)
            choices = choices_of(schema)
            marks = []
            if 0 < len(choices) <= MAX_OPTIONS:
                for value, words in choices:
                    pieces = enc(words, MAX_OPTION)
                    marks.append((len(part), value, len(pieces)))
                    part += [OPT] + pieces
            if len(ids) + len(part) > MAX_TOOL and marks: part, marks = part[:marks[0][0]], []
            if len(ids) + len(part) > MAX_TOOL: continue
            a = len(self.slots)
            self.slots.append({'path': path, 'schema': schema, 'needed': must, 'kind': kind, 'choices': choices, 'marked': bool(marks)})
            self.args.append(len(ids))
            self.opts += [(a, len(ids) + at, value, n) for at, value, n in marks]
            ids += part
        self.ids = ids

class RequestText:
    """The tokens of a request with the characters each stands for, in `text` (0) or in an earlier one (1…)."""
    def __init__(self, tok, request, earlier=()):
        e = tok.encode(request, add_special_tokens=False)
        n = min(len(e.ids), MAX_REQUEST)
        self.ids = [CLS] + e.ids[:n]
        self.spans = [None] + [(0, a, b) for a, b in e.offsets[:n]]
        room = MAX_EARLIER
        for k, text in enumerate(earlier, 1):   # nearest first
            e = tok.encode(text, add_special_tokens=False)
            n = min(len(e.ids), room - 1)
            if n <= 0: break
            room -= n + 1
            self.ids += [EARLIER] + e.ids[:n]
            self.spans += [None] + [(k, a, b) for a, b in e.offsets[:n]]
    def tokens(self, part, start, end):
        """The tokens that overlap characters [start, end) of a part."""
        return [i for i, s in enumerate(self.spans) if s and s[0] == part and s[1] < end and s[2] > start]
