"""Labelled examples out of written sites and out of Schema-Guided Dialogue."""
import re
from .encode import RequestText, ToolText
from .written import find, plain

class Example:
    """One request before some tools. `gold`: tool index → labels of its arguments, or None where only the
    tool is known. `several`: more than one tool serves it."""
    __slots__ = ('request', 'gold', 'gold_here', 'left', 'cuts', 'several', 'source')
    def __init__(self, request, gold, left=(), cuts=(), several=False, source=''):
        self.request, self.gold, self.left, self.cuts, self.several, self.source = request, gold, left, cuts, several, source
        self.gold_here = gold

class Group:
    """Tools that stand on one page, with the requests made there."""
    def __init__(self, name, tools): self.name, self.tools, self.examples = name, tools, []

def values_of(tool_text, args):
    """Pairs (slot index, value, ref, words) for the leaves that a call gives."""
    flat = []
    def walk(path, value, ref, words):
        hit = [i for i, s in enumerate(tool_text.slots) if s['path'] == path]
        if hit: flat.append((hit[0], value, ref, words)); return
        if isinstance(value, dict):
            for k, v in value.items(): walk(path + (k,), v, ref, words)
    for name, value, ref, words in args: walk((name,), value, ref, words)
    return flat

def label(tool_text, request, texts, args):
    """The labels of one call: for each argument (kind, [spans of tokens], {choices}); kind -1: not known."""
    out = [('none', [], ()) for _ in tool_text.slots]
    def spans(words):
        for part, text in enumerate(texts):
            at = find(words, text)
            if at:
                t = request.tokens(part, *at)
                if t: return [t]
        return []
    for i, value, ref, words in values_of(tool_text, args):
        slot = tool_text.slots[i]
        if ref:
            out[i] = ('ref', spans(words), ())
        elif isinstance(value, bool):
            out[i] = ('true' if value else 'false', spans(words) if words else [], ())
        elif slot['marked'] and not isinstance(value, dict):
            wanted = value if isinstance(value, list) else [value]
            known = [v for v, _ in slot['choices']]
            if all(v in known for v in wanted):
                where = spans(words) if words else [t for v in wanted for t in spans(plain(v))]
                out[i] = ('choice', where, tuple(known.index(v) for v in wanted))
            else: out[i] = (-1, [], ())
        elif isinstance(value, list) and not words:
            if any(isinstance(v, (dict, list)) for v in value): out[i] = (-1, [], ()); continue
            found = [t for v in value for t in spans(plain(v))]
            out[i] = ('span', found, ()) if len(found) == len(value) and found else (-1, [], ())
        elif isinstance(value, dict):
            out[i] = (-1, [], ())
        else:
            found = spans(words if words else plain(value))
            out[i] = ('span', found, ()) if found else (-1, [], ())
    return out

def from_site(tok, site, rng=None, unrelated=0.35):
    """A written site as a group; a request of several deeds gives one example for the whole and one for each.
    A share of the requests gets an unrelated one before it, so that what was said before is no habit."""
    group = Group(site['file'], [ToolText(tok, t) for t in site['tools']])
    index = {t.name: i for i, t in enumerate(group.tools)}
    for c in site['cases']:
        parts = [' '.join(p.split()) for p in c['request'].split('||')]
        whole = ' '.join(parts)
        earlier = [p['ask'].replace('||', ' ') for p in reversed(c['prior'])]
        if not earlier and rng and rng.random() < unrelated:
            other = rng.choice(site['cases'])
            if other is not c: earlier = [other['request'].replace('||', ' ')]
        texts = [whole] + (earlier if c['prior'] else [])
        r = RequestText(tok, whole, earlier)
        left = [t for words in c['left'] if (at := find(words, whole)) for t in r.tokens(0, *at)]
        if c['none']:
            group.examples.append(Example(r, {}, left=left, source='none')); continue
        if c['ask']:
            t = index[c['ask']['tool']]
            group.examples.append(Example(r, {t: label(group.tools[t], r, texts, c['ask']['args'])}, left=left, source='ask')); continue
        if len(c['calls']) == 1:
            t = index[c['calls'][0]['tool']]
            kind = 'follow-up' if c['prior'] else 'condition' if left else 'one'
            group.examples.append(Example(r, {t: label(group.tools[t], r, texts, c['calls'][0]['args'])}, left=left, source=kind)); continue
        cuts, at = [], 0
        for p in parts[:-1]:
            at += len(p) + 1
            t = r.tokens(0, at, at + 1) or r.tokens(0, at, at + 3)
            cuts += t[:1]
        gold = {index[k['tool']]: None for k in c['calls']}
        group.examples.append(Example(r, gold, left=None, cuts=cuts, several=True, source='several'))
        for n, (part, call) in enumerate(zip(parts, c['calls'])):
            back = [' '.join(parts[:n])] * (n > 0) + earlier
            rp = RequestText(tok, part, back)
            left = [t for words in c['left'] if (at := find(words, part)) for t in rp.tokens(0, *at)]
            t = index[call['tool']]
            group.examples.append(Example(rp, {t: label(group.tools[t], rp, [part] + (back if c['prior'] else back[:n > 0]), call['args'])}, left=left, source='part'))
    return group

# --- Schema-Guided Dialogue (google-research-datasets, CC BY-SA 4.0)

def sgd_tool(service, intent):
    slots = {s['name']: s for s in service['slots']}
    props = {}
    for name in list(intent['required_slots']) + list(intent['optional_slots']):
        s = slots.get(name)
        if not s: continue
        p = {'type': 'string', 'description': s['description']}
        values = s.get('possible_values') or []
        if s.get('is_categorical') and set(values) == {'True', 'False'}: p['type'] = 'boolean'
        elif s.get('is_categorical') and values: p['enum'] = values
        props[name] = p
    return {'name': intent['name'], 'description': intent['description'],
            'inputSchema': {'type': 'object', 'properties': props, 'required': intent['required_slots']}}

def from_dialogues(tok, dialogues, services, rng, keep):
    """Groups by service: each user turn that names an intent or gives values, with what the system asked before it."""
    groups, index = {}, {}
    for name, service in services.items():
        g = Group('sgd:' + name, [ToolText(tok, sgd_tool(service, i)) for i in service['intents']])
        groups[name] = g; index[name] = {i['name']: n for n, i in enumerate(service['intents'])}
    for d in dialogues:
        system, before = '', {}
        for turn in d['turns']:
            text = turn['utterance']
            if turn['speaker'] == 'SYSTEM': system = text; continue
            for f in turn['frames']:
                if f['service'] not in groups: continue
                g = groups[f['service']]
                acts = {a['act'] for a in f['actions']}
                active = f['state']['active_intent']
                old = before.get(f['service'], {})
                new = {k: v for k, v in f['state']['slot_values'].items() if old.get(k) != v}
                before[f['service']] = dict(f['state']['slot_values'])
                if rng.random() > keep: continue
                earlier = [system] if system else []
                if acts and acts <= {'THANK_YOU', 'GOODBYE', 'NEGATE_INTENT', 'NEGATE', 'SELECT', 'REQUEST'}:
                    if rng.random() < 0.25 and not ({'REQUEST', 'SELECT'} & acts):
                        g.examples.append(Example(RequestText(tok, text), {}, source='sgd none'))
                    continue
                if active not in index[f['service']]: continue
                informed = {a['slot'] for a in f['actions'] if a['act'] == 'INFORM'}
                if 'INFORM_INTENT' not in acts and not informed: continue
                if 'INFORM_INTENT' not in acts and rng.random() < 0.6: continue
                t = index[f['service']][active]
                tt = g.tools[t]
                r = RequestText(tok, text, earlier)
                where = {s['slot']: (s['start'], s['exclusive_end']) for s in f.get('slots', []) if 'start' in s}
                out = []
                for s in tt.slots:
                    k = s['path'][0]
                    if k in where and k in informed:
                        tokens = r.tokens(0, *where[k]); out.append(('span', [tokens], ()) if tokens else (-1, [], ()))
                    elif k in informed and k in f['state']['slot_values']:
                        value = f['state']['slot_values'][k][0]
                        if s['kind'] == 'boolean' and value in ('True', 'False'): out.append((value.lower(), [], ()))
                        elif s['marked'] and value in [v for v, _ in s['choices']]: out.append(('choice', [], ([v for v, _ in s['choices']].index(value),)))
                        else: out.append((-1, [], ()))
                    elif k in new: out.append((-1, [], ()))
                    else: out.append(('none', [], ()))
                g.examples.append(Example(r, {t: out}, left=None, source='sgd'))
    return [g for g in groups.values() if g.examples]
