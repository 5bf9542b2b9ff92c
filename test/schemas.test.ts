import { readdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import { JSON_SCHEMAS } from '../src/cli/schemas.ts';

it.each(Object.entries(JSON_SCHEMAS))(
  'schemas/%s.schema.json is in step with its shape',
  async (name, schema) => {
    await expect(`${JSON.stringify(schema(), null, 2)}\n`).toMatchFileSnapshot(
      `../schemas/${name}.schema.json`,
    );
  },
);

it('schemas/ holds nothing else', () => {
  const expected = Object.keys(JSON_SCHEMAS).map((name) => `${name}.schema.json`);
  expect(readdirSync('schemas').toSorted()).toEqual(expected.toSorted());
});
