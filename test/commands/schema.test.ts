import { describe, expect, it } from 'vitest';
import { JSON_SCHEMAS, listShape } from '../../src/cli/schemas.ts';
import { documentOf, expectEnd } from '../helpers/flows.ts';
import { aScene } from '../helpers/scene.ts';

describe('herald schema', () => {
  it('lists what there is, as a document, too, and prints no other format', async () => {
    const names = await aScene().herald('schema');
    expect(names.stdout.trim().split('\n')).toEqual(Object.keys(JSON_SCHEMAS));
    const ran = await aScene().herald('schema', '--format', 'json');
    expect(documentOf(ran, listShape).items).toContainEqual({ name: 'saved-plan' });
    const text = await aScene().herald('schema', 'plan', '--format', 'text');
    expect([text.code, text.stdout]).toEqual([1, '']);
    expect(text.stderr).toContain('This command cannot print text. Use one of: json.');
  });

  it.each(Object.keys(JSON_SCHEMAS))('prints %s as one JSON document', async (name) => {
    const ran = await aScene().herald('schema', name);
    expect(ran.code).toBe(0);
    expect(JSON.parse(ran.stdout)).toMatchObject({ $schema: 'http://json-schema.org/draft-07/schema#' });
  });

  it('names the choices for one that does not exist', async () => {
    expectEnd(await aScene().herald('schema', 'nothing'), 1, 'herald, resources, plan');
  });
});

it('writes the schemas of the files for an editor', async () => {
  const scene = aScene();
  const ran = await scene.herald('schema', '--write');
  expect([ran.code, ran.stdout]).toEqual([
    0,
    'Wrote .herald/schemas/herald.schema.json, .herald/schemas/resources.schema.json.\n',
  ]);
  expect(JSON.parse(scene.files.tree['.herald/schemas/herald.schema.json'] ?? '')).toHaveProperty('$schema');
});
