import { describe, expect, it } from 'vitest';
import { itemShape } from '../../src/cli/schemas.ts';
import { documentOf } from '../helpers/flows.ts';
import { aScene, type Scene } from '../helpers/scene.ts';

function emptyScene(files: Record<string, string> = {}): Scene {
  const scene = aScene();
  delete scene.files.tree['herald.yaml'];
  Object.assign(scene.files.tree, files);
  return scene;
}

describe('herald init', () => {
  it('writes a workspace that validates, plans and applies as it is', async () => {
    const scene = emptyScene();
    const ran = await scene.herald('init');
    expect(ran.code).toBe(0);
    expect(Object.keys(scene.files.tree).toSorted()).toEqual([
      '.gitattributes',
      '.gitignore',
      'broadcasts/news.yaml',
      'campaigns/welcome.yaml',
      'herald.yaml',
    ]);
    expect((await scene.herald('validate')).stdout).toBe('Valid: 2 resources in 2 files.\n');
    expect((await scene.herald('plan', '--detailed-exitcode')).code).toBe(2);
    expect((await scene.herald('apply', '--yes')).code).toBe(0);
    expect((await scene.herald('drift')).code).toBe(0);
  });

  it('says as a document what it wrote and what it left', async () => {
    const scene = emptyScene({ '.gitignore': 'mine' });
    const { item } = documentOf(await scene.herald('init', '--format', 'json'), itemShape);
    expect(item).toEqual({
      written: ['herald.yaml', 'campaigns/welcome.yaml', 'broadcasts/news.yaml', '.gitattributes'],
      left: ['.gitignore'],
    });
  });

  it('writes nothing in a format that it does not print', async () => {
    const scene = emptyScene();
    const ran = await scene.herald('init', '--format', 'csv');
    expect([ran.code, scene.files.tree]).toEqual([1, {}]);
    expect(ran.stderr).toContain('Use one of: text, json.');
  });

  it.each(['herald.yaml', 'campaigns/welcome.yaml'])('writes nothing where there is a %s', async (path) => {
    const scene = emptyScene({ [path]: 'mine' });
    const ran = await scene.herald('init');
    expect(ran.code).toBe(1);
    expect(ran.stderr).toContain(path);
    expect(scene.files.tree).toEqual({ [path]: 'mine' });
  });

  it.each([
    ['.gitignore', '.herald/world.json'],
    ['.gitattributes', '.herald/ledger*.ndjson merge=union'],
  ])('leaves the %s of a repository alone and says what belongs into it', async (path, line) => {
    const scene = emptyScene({ [path]: 'mine\n' });
    const ran = await scene.herald('init');
    expect(ran.code).toBe(0);
    expect(ran.stderr).toContain(line);
    expect(scene.files.tree[path]).toBe('mine\n');
  });
});
