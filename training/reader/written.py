"""The written requests: one text file a site, read and checked. `python -m reader.written FILE…` prints what is wrong, or ok."""
import json, re, sys

def scan_args(text):
    """`name=VALUE{words} …` and bare names → ([(name, value, ref, words)], [missing])"""
    out, missing, i = [], [], 0
    dec = json.JSONDecoder()
    while True:
        while i < len(text) and text[i] in ' \t,': i += 1
        if i >= len(text): return out, missing
        m = re.compile(r'[\w.\-$\[\]]+').match(text, i)
        if not m: raise ValueError(f'cannot read {text[i:i+30]!r}')
        name, i = m.group(), m.end()
        if i >= len(text) or text[i] != '=':
            missing.append(name); continue
        i += 1
        ref = text[i:i+1] == '@'
        i += ref
        value, i = dec.raw_decode(text, i)
        words = None
        if text[i:i+1] == '{':
            j = text.index('}', i); words = text[i+1:j].strip(); i = j + 1
        out.append((name, value, ref, words))

def find(words, text):
    w = re.escape(words.strip().lower())
    w = re.sub(r'(\\ )+', r'\\s+', w)
    m = re.search(r'(?<![a-z0-9])' + w + r'(?![a-z0-9])', text.lower()) or re.search(w, text.lower())
    return (m.start(), m.end()) if m else None

def plain(v): 
    return str(v).lower() if isinstance(v, bool) else (str(int(v)) if isinstance(v, float) and v.is_integer() else str(v))

def parse(path):
    site = {'file': path, 'tools': [], 'cases': [], 'now': '', 'site': '', 'trade': ''}
    errors, case, prior = [], None, []
    byname = {}
    for n, line in enumerate(open(path, encoding='utf8').read().split('\n'), 1):
        s = line.strip()
        err = lambda m: errors.append(f'{path}:{n}: {m}')
        if not s: 
            case = None
            continue
        try:
            head = re.match(r'(site|trade|now): *(.*)', s)
            if head and not site['cases']: site[head[1]] = head[2]; continue
            if s.startswith('tool '):
                t = json.loads(s[5:]); 
                if t['name'] in byname: err('tool twice')
                byname[t['name']] = t; site['tools'].append(t); continue
            if s.startswith('<>'):
                name, _, rest = s[2:].strip().partition(' ')
                if prior and name: 
                    if name not in byname: err(f'no tool {name}')
                    prior[-1]['calls'].append({'tool': name, 'args': scan_args(rest)[0]})
                continue
            if s.startswith('<='):
                prior[-1]['results'].append(s[2:].strip()); continue
            if s.startswith('<'):
                prior.append({'ask': s[1:].strip(), 'calls': [], 'results': []}); continue
            if s.startswith('?'):
                case = {'request': s[1:].strip(), 'prior': prior, 'calls': [], 'left': [], 'none': False, 'ask': None, 'line': n}
                prior = []
                site['cases'].append(case); continue
            if case is None: err('not in a case: ' + s[:40]); continue
            text = case['request'].replace('||', ' ')
            allt = text + ' \n ' + ' \n '.join(p['ask'] for p in case['prior'])
            if s.startswith('~'):
                if find(s[1:], text) is None: err(f'~ words not in the request: {s[1:]}')
                case['left'].append(s[1:].strip()); continue
            if not s.startswith('>'): err('what is this line? ' + s[:40]); continue
            body = s[1:].strip()
            if body == 'none': case['none'] = True; continue
            isask = body.startswith('ask ')
            if isask: body = body[4:].strip()
            name, _, rest = body.partition(' ')
            if name not in byname: err(f'no tool {name}'); continue
            args, missing = scan_args(rest)
            props = (byname[name].get('inputSchema') or {}).get('properties') or {}
            if missing and not isask: err(f'argument without value: {missing}')
            if isask and not missing: err('ask: name what is missing')
            for m in missing:
                if m not in props: err(f'{name} has no argument {m}')
            for a, v, ref, words in args:
                if a not in props: err(f'{name} has no argument {a}'); continue
                p = props[a]
                if 'enum' in p and not ref and not isinstance(v, list) and v not in p['enum']: err(f'{a}: {v!r} is none of its choices')
                t = p.get('type')
                if t == 'string' and not isinstance(v, str): err(f'{a}: should be a string')
                if t in ('number', 'integer') and (isinstance(v, bool) or not isinstance(v, (int, float))): err(f'{a}: should be a number')
                if t == 'boolean' and not isinstance(v, bool): err(f'{a}: should be a boolean')
                if t == 'array' and not isinstance(v, list): err(f'{a}: should be an array')
                if words is not None:
                    if find(words, allt) is None: err(f'{a}: words not in the request: {words}')
                elif ref: err(f'{a}: @ needs {{words}}')
                elif isinstance(v, bool): err(f'{a}: a boolean needs {{words}}')
                elif isinstance(v, list):
                    for x in v:
                        if not isinstance(x, (dict, list)) and find(plain(x), allt) is None: err(f'{a}: {x!r} is not in the request word for word: give {{words}}')
                elif not isinstance(v, dict) and find(plain(v), allt) is None: err(f'{a}: {v!r} is not in the request word for word: give {{words}}')
            call = {'tool': name, 'args': args}
            if isask: case['ask'] = {'tool': name, 'missing': missing, 'args': args}
            else: case['calls'].append(call)
        except Exception as e: err(f'{type(e).__name__}: {e}')
    for c in site['cases']:
        parts = c['request'].count('||') + 1
        if not c['none'] and not c['ask'] and not c['calls']: errors.append(f'{path}:{c["line"]}: no > line')
        if c['none'] and c['calls']: errors.append(f'{path}:{c["line"]}: none and calls')
        if c['calls'] and len(c['calls']) != parts: errors.append(f'{path}:{c["line"]}: {parts} part(s) but {len(c["calls"])} call(s): mark parts with ||')
    if len(site['tools']) < 2: errors.append(f'{path}: too few tools')
    return site, errors

if __name__ == '__main__':
    total = 0
    for f in sys.argv[1:]:
        site, errors = parse(f)
        total += len(site['cases'])
        print('\n'.join(errors[:25]) if errors else f'ok {f} {len(site["tools"])} tools {len(site["cases"])} requests')
    if len(sys.argv) > 2: print(total, 'requests')
