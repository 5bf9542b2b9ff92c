import { describe, expect, test } from 'vitest';
import { compactJson, renderJson } from '../../src/render/json.ts';
import { fc } from '../helpers/properties.ts';

describe('JSON', () => {
  test('is what JSON.stringify prints with two spaces, and a line break', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(renderJson(value)).toBe(`${JSON.stringify(value, null, 2)}\n`);
        expect(compactJson(value)).toBe(JSON.stringify(value));
      }),
    );
  });

  test('prints the digits of a bigint', () => {
    expect(renderJson({ id: 9007199254740993123n })).toBe('{\n  "id": 9007199254740993123\n}\n');
  });

  test('honours toJSON and leaves out what has no JSON form', () => {
    const secret = { toJSON: () => '***' };
    const when = new Date(0);
    expect(renderJson({ secret, when, gone: undefined, call: () => 1, list: [undefined, NaN] })).toBe(
      '{\n  "secret": "***",\n  "when": "1970-01-01T00:00:00.000Z",\n  "list": [\n    null,\n    null\n  ]\n}\n',
    );
    expect(renderJson(undefined)).toBe('null\n');
  });
});
