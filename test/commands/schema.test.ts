import { describe, expect, it } from 'vitest';
import { JSON_SCHEMAS } from '../../src/commands/schemas.ts';
import { aScene } from '../helpers/scene.ts';

describe('herald schema', () => {
  it('lists what there is', async () => {
    const ran = await aScene().herald('schema');
    expect(ran.stdout.trim().split('\n')).toEqual(Object.keys(JSON_SCHEMAS));
  });

  it.each(Object.keys(JSON_SCHEMAS))('prints %s as one JSON document', async (name) => {
    const ran = await aScene().herald('schema', name);
    expect(ran.code).toBe(0);
    expect(JSON.parse(ran.stdout)).toMatchObject({ $schema: 'http://json-schema.org/draft-07/schema#' });
  });

  it('names the choices for one that does not exist', async () => {
    const ran = await aScene().herald('schema', 'nothing');
    expect(ran.code).toBe(1);
    expect(ran.stderr).toContain('herald, resources, plan');
  });

  it('describes the files of a directory without a workspace as well', async () => {
    const scene = aScene();
    delete scene.files.tree['herald.yaml'];
    expect((await scene.herald('schema', 'herald')).code).toBe(0);
  });
});
