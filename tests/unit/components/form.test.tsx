// @vitest-environment happy-dom
import { cleanup, fireEvent, render } from '@testing-library/preact';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { draftOf, readDraft, setAt } from '../../../components/form/draft';
import { type Field, type NamedField, readForm } from '../../../components/form/field';
import { samePath } from '../../../components/form/paths';
import { SchemaForm } from '../../../components/form/SchemaForm';
import type { JsonObject, JsonSchema } from '../../../lib/tools/tool';
import { speakEnglish } from './english';

const schemaOf = (property: JsonSchema, required = false): JsonSchema => ({
  type: 'object',
  properties: { x: property },
  ...(required ? { required: ['x'] } : {}),
});
const fieldOf = (property: JsonSchema): Field | undefined => readForm(schemaOf(property))[0]?.field;

describe('a form read from a schema', () => {
  beforeEach(speakEnglish);

  test.each<[string, JsonSchema, Partial<Field> & { kind: Field['kind'] }]>([
    ['text', { type: 'string', maxLength: 20 }, { kind: 'text', multiline: false, maxLength: 20 }],
    ['long text', { type: 'string', maxLength: 900 }, { kind: 'text', multiline: true }],
    ['date', { type: 'string', format: 'date' }, { kind: 'text', input: 'date' }],
    ['whole number', { type: 'integer', minimum: 1 }, { kind: 'number', integer: true, min: 1 }],
    ['switch', { type: 'boolean' }, { kind: 'boolean' }],
    ['choice', { type: 'string', enum: ['a', 'b'] }, { kind: 'choice' }],
    ['titled choice', { oneOf: [{ const: 1, title: 'One' }] }, { kind: 'choice' }],
    ['several', { type: 'array', uniqueItems: true, items: { enum: ['a'] } }, { kind: 'many' }],
    ['list', { type: 'array', items: { type: 'string' }, maxItems: 3 }, { kind: 'list', max: 3 }],
    ['object', { type: 'object', properties: { y: { type: 'string' } } }, { kind: 'object' }],
    ['free object', { type: 'object' }, { kind: 'json' }],
    ['union', { anyOf: [{ type: 'string' }, { type: 'number' }] }, { kind: 'json' }],
    ['nullable', { anyOf: [{ type: 'number' }, { type: 'null' }] }, { kind: 'number' }],
    ['type list', { type: ['null', 'boolean'] }, { kind: 'boolean' }],
    ['nothing known', {}, { kind: 'json' }],
  ])('%s', (_, property, expected) => {
    expect(fieldOf(property)).toMatchObject(expected);
  });

  test('references are followed inside the schema, and circles end as raw JSON', () => {
    const fields = readForm({
      type: 'object',
      properties: {
        a: { $ref: '#/$defs/A' },
        lost: { $ref: '#/$defs/none' },
        far: { $ref: 'http://x' },
      },
      $defs: {
        A: {
          type: 'object',
          properties: { name: { type: 'string' }, next: { $ref: '#/$defs/A' } },
        },
      },
    });
    const a = fields.find(({ name }) => name === 'a')?.field;
    expect(a?.kind).toBe('object');
    const inner = a?.kind === 'object' ? a.fields.map(({ name, field }) => [name, field.kind]) : [];
    expect(inner).toEqual([
      ['name', 'text'],
      ['next', 'json'],
    ]);
    expect(fields.find(({ name }) => name === 'lost')?.field.kind).toBe('json');
    expect(fields.find(({ name }) => name === 'far')?.field.kind).toBe('json');
  });

  test('what is required comes first', () => {
    const fields = readForm({
      properties: { a: { type: 'string' }, b: { type: 'string' } },
      required: ['b'],
    });
    expect(fields.map(({ name }) => name)).toEqual(['b', 'a']);
  });

  test('names such as __proto__ are names', () => {
    const schema = JSON.parse(
      '{"type":"object","properties":{"__proto__":{"type":"string"},"constructor":{"type":"number"}}}',
    ) as JsonSchema;
    const fields = readForm(schema);
    const values = JSON.parse('{"__proto__":"a","constructor":3}') as JsonObject;
    const { value, problems } = readDraft(fields, draftOf(fields, values));
    expect(problems).toEqual([]);
    expect(JSON.stringify(value)).toBe('{"__proto__":"a","constructor":3}');
    expect(Object.getPrototypeOf({})).toBe(Object.prototype);
  });

  test('a short schema that unfolds into millions of fields stays small', () => {
    const level = (next: string) => ({
      type: 'object',
      properties: Object.fromEntries(
        Array.from({ length: 60 }, (_, index) => [`p${index}`, { $ref: `#/$defs/${next}` }]),
      ),
    });
    const fields = readForm({
      ...level('a'),
      $defs: { a: level('b'), b: level('c'), c: level('d'), d: level('e'), e: { type: 'string' } },
    });
    expect(count(fields)).toBeLessThan(5_000);
    const bomb = (depth: number): JsonSchema =>
      depth === 0 ? {} : { allOf: Array.from({ length: 10 }, () => bomb(depth - 1)) };
    expect(fieldOf(bomb(4))?.kind).toBe('json');
  });

  test('whatever a page declares, the form is read, bounded, and answers with plain JSON', () => {
    const keyword = fc.constantFrom(
      ...['type', 'properties', 'items', '$ref', 'enum', 'anyOf', 'allOf', 'required', 'x'],
    );
    const schema = fc.letrec((tie) => ({
      schema: fc.dictionary(
        keyword,
        fc.oneof(
          { maxDepth: 4, depthIdentifier: 'schema' },
          fc.jsonValue({ maxDepth: 2 }),
          fc.constantFrom('object', 'array', 'string', '#', '#/properties/x'),
          tie('schema'),
          fc.array(tie('schema'), { maxLength: 2, depthIdentifier: 'schema' }),
        ),
        { maxKeys: 4 },
      ),
    })).schema;
    fc.assert(
      fc.property(schema, fc.jsonValue(), (given, values) => {
        const fields = readForm(given as JsonSchema);
        expect(count(fields)).toBeLessThan(5_000);
        const { value } = readDraft(fields, draftOf(fields, values as JsonObject));
        expect(JSON.parse(JSON.stringify(value))).toEqual(value);
      }),
      { numRuns: 300 },
    );
  });

  test('values that fit go in and come out unchanged', () => {
    const fields = readForm({
      type: 'object',
      properties: {
        text: { type: 'string' },
        number: { type: 'number' },
        flag: { type: 'boolean' },
        choice: { enum: ['a', 2, null] },
        list: { type: 'array', items: { type: 'integer' } },
        nested: { type: 'object', properties: { city: { type: 'string' } } },
      },
    });
    const values = fc.record(
      {
        text: fc.string({ minLength: 1 }),
        number: fc.double({ noNaN: true, noDefaultInfinity: true }).map((n) => n + 0 || 0),
        flag: fc.boolean(),
        choice: fc.constantFrom('a', 2, null),
        list: fc.array(fc.integer(), { minLength: 1 }),
        nested: fc.record({ city: fc.string({ minLength: 1 }) }),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(values, (given) => {
        const read = readDraft(fields, draftOf(fields, given as JsonObject));
        expect(read).toEqual({ value: given, problems: [] });
      }),
    );
  });

  test('an optional object is sent once something in it was given or set', () => {
    const inner: JsonSchema = {
      type: 'object',
      properties: { on: { type: 'boolean' }, n: { type: 'integer', default: 3 } },
      required: ['on'],
    };
    const fields = readForm({
      properties: { o: inner, l: { type: 'array', items: { type: 'string' }, minItems: 2 } },
    });
    const empty = draftOf(fields, {});
    expect(readDraft(fields, empty)).toEqual({ value: {}, problems: [] });
    const set = setAt(empty, ['o', 'on'], true);
    expect(readDraft(fields, set).value).toEqual({ o: { on: true, n: 3 } });
    const given = draftOf(fields, { o: { on: false, n: 3 } });
    expect(readDraft(fields, given).value).toEqual({ o: { on: false, n: 3 } });
    expect(readDraft(fields, setAt(given, ['l'], [])).value).toEqual({ o: { on: false, n: 3 } });
  });

  test.each<JsonSchema>([
    { type: ['string', 'null'] },
    { anyOf: [{ type: 'integer' }, { type: 'null' }] },
    { type: ['boolean', 'null'] },
    {
      anyOf: [
        { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] },
        { type: 'null' },
      ],
    },
  ])('a required argument that may be null is null when left empty: %j', (property) => {
    const fields = readForm(schemaOf(property, true));
    expect(readDraft(fields, draftOf(fields, {}))).toEqual({ value: { x: null }, problems: [] });
    const optional = readForm(schemaOf(property));
    expect(readDraft(optional, draftOf(optional, {}))).toEqual({ value: {}, problems: [] });
  });

  test('a default of null is not sent', () => {
    const fields = readForm({
      properties: { a: { type: 'array', default: null }, b: { type: 'object', default: null } },
    });
    expect(readDraft(fields, draftOf(fields, {}))).toEqual({ value: {}, problems: [] });
  });

  test('the arguments of every alternative and condition have an input', () => {
    const fields = readForm(
      JSON.parse(`{"oneOf":[{"properties":{"kind":{"const":"a"},"x":{"type":"string"}},"required":["kind"]},
        {"properties":{"kind":{"const":"b"},"y":{"type":"string"}},"required":["kind"]}],
        "then":{"properties":{"z":{"type":"integer"}}},"dependentSchemas":{"x":{"properties":{"w":{"type":"string"}}}}}`),
    );
    expect(fields.map(({ name, field }) => [name, field.kind])).toEqual([
      ['kind', 'choice'],
      ['x', 'text'],
      ['y', 'text'],
      ['z', 'number'],
      ['w', 'text'],
    ]);
  });

  test('the last of many arguments has an input, first where it is required', () => {
    const names = Array.from({ length: 200 }, (_, n) => `f${n}`);
    const properties = Object.fromEntries(names.map((name) => [name, { type: 'string' }]));
    const fields = readForm({ properties, required: ['f199'] });
    expect(fields).toHaveLength(200);
    expect(fields[0]?.name).toBe('f199');
  });

  test('characters are counted, not their halves', () => {
    const fields = readForm(schemaOf({ type: 'string', maxLength: 2 }));
    expect(readDraft(fields, draftOf(fields, { x: '👍👍' })).problems).toEqual([]);
  });

  test('a reference may be written as in an address', () => {
    const $defs = { 'List<Text>': { type: 'string' } };
    const [field] = readForm({ properties: { x: { $ref: '#/$defs/List%3CText%3E' } }, $defs });
    expect(field?.field.kind).toBe('text');
  });

  test.each<[string, JsonSchema, string, string]>([
    ['required', { type: 'string' }, '', 'This is required.'],
    ['no number', { type: 'number' }, 'abc', 'This is not a number.'],
    ['no whole number', { type: 'integer' }, '1.5', 'Use a whole number.'],
    ['too small', { type: 'number', minimum: 3 }, '2', 'Use 3 or more.'],
    ['too big', { type: 'number', maximum: 3 }, '4', 'Use 3 or less.'],
    ['too short', { type: 'string', minLength: 3 }, 'ab', 'Use at least 3 characters.'],
    ['too long', { type: 'string', maxLength: 3 }, 'abcd', 'Use at most 3 characters.'],
  ])('says what is wrong: %s', (_, property, text, message) => {
    const fields = readForm(schemaOf(property, true));
    const { problems } = readDraft(fields, new Map([['x', text]]));
    expect(problems).toEqual([{ path: ['x'], message }]);
  });

  test.each([
    ['a', ['a'], true],
    ['/a', ['a'], true],
    ['a.b', ['a', 'b'], true],
    ['a[0].b', ['a', '0', 'b'], true],
    ['/a/0/b', ['a', '0', 'b'], true],
    ['a', ['a', 'b'], false],
    ['', ['a'], false],
    ['user.name', ['user.name'], true],
    ['a/b.c', ['a/b', 'c'], true],
  ])('the path %j means %j: %s', (written, path, expected) => {
    expect(samePath(written, path)).toBe(expected);
  });
});

function count(fields: readonly NamedField[]): number {
  return fields.reduce(
    (sum, { field }) => sum + 1 + (field.kind === 'object' ? count(field.fields) : 0),
    0,
  );
}

describe('the form on the screen', () => {
  beforeEach(speakEnglish);
  afterEach(cleanup);

  const SCHEMA: JsonSchema = {
    type: 'object',
    properties: {
      sku: { type: 'string', description: 'Article number.' },
      quantity: { type: 'integer', minimum: 1, maximum: 10, default: 1 },
      gifts: { type: 'array', items: { type: 'string' } },
    },
    required: ['sku'],
  };

  function show(props: Partial<Parameters<typeof SchemaForm>[0]> = {}) {
    const sent: JsonObject[] = [];
    const view = render(
      <SchemaForm
        schema={SCHEMA}
        submitLabel="Go"
        onSubmit={(values) => sent.push(values)}
        {...props}
      />,
    );
    return { ...view, sent };
  }

  test('labels, descriptions, defaults and required marks are tied to the inputs', () => {
    const { getByLabelText, getByText } = show();
    const sku = getByLabelText('sku');
    expect(sku.getAttribute('aria-required')).toBe('true');
    expect(sku.getAttribute('aria-describedby')).toBe(getByText('Article number.').id);
    expect((getByLabelText('quantity') as HTMLInputElement).value).toBe('1');
  });

  test('an empty required input stops the sending, says so and gets the focus', () => {
    const { getByText, getByLabelText, sent } = show();
    fireEvent.click(getByText('Go'));
    expect(sent).toEqual([]);
    expect(getByText('This is required.')).toBeTruthy();
    expect(document.activeElement).toBe(getByLabelText('sku'));
    fireEvent.input(getByLabelText('sku'), { target: { value: 'B-7' } });
    fireEvent.click(getByText('Go'));
    expect(sent).toEqual([{ sku: 'B-7', quantity: 1 }]);
  });

  test('a problem shows when the input is left, not before, and goes when it is mended', () => {
    const { getByLabelText, queryByText } = show();
    const quantity = getByLabelText('quantity');
    fireEvent.input(quantity, { target: { value: '40' } });
    expect(queryByText('Use 10 or less.')).toBeNull();
    fireEvent.blur(quantity);
    expect(queryByText('Use 10 or less.')).toBeTruthy();
    fireEvent.input(quantity, { target: { value: '4' } });
    expect(queryByText('Use 10 or less.')).toBeNull();
  });

  test('a problem of an argument without an input is said below the form', () => {
    const problems = [{ path: 'unknown.thing', message: 'It is not known.' }];
    expect(show({ problems }).getByRole('alert').textContent).toBe('It is not known.');
  });

  test('Ctrl+Enter sends from any input', () => {
    const { getByLabelText, sent } = show({ values: { sku: 'A' } });
    fireEvent.keyDown(getByLabelText('quantity'), { key: 'Enter', ctrlKey: true });
    expect(sent).toEqual([{ sku: 'A', quantity: 1 }]);
  });

  test('rows of a list are added and removed', () => {
    const { getByText, getByLabelText, sent } = show({ values: { sku: 'A' } });
    fireEvent.click(getByText('Add item'));
    fireEvent.click(getByText('Add item'));
    fireEvent.input(getByLabelText('Item 1'), { target: { value: 'bow' } });
    fireEvent.input(getByLabelText('Item 2'), { target: { value: 'card' } });
    fireEvent.click(getByLabelText('Remove item 1'));
    fireEvent.click(getByText('Go'));
    expect(sent).toEqual([{ sku: 'A', quantity: 1, gifts: ['card'] }]);
  });

  test('what the host found wrong stands beside its argument', () => {
    const { getByLabelText, getByText } = show({
      values: { sku: 'A' },
      problems: [{ path: 'sku', message: 'No such article.' }],
    });
    const message = getByText('No such article.');
    expect(getByLabelText('sku').getAttribute('aria-describedby')).toContain(message.id);
    expect(getByLabelText('sku').getAttribute('aria-invalid')).toBe('true');
  });
});
