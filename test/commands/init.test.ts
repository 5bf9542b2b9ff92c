import { readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { describe, expect, it } from 'vitest';
import { altered } from '../helpers/altered.ts';
import { aScene, type Scene } from '../helpers/scene.ts';
import { expectEnd } from '../helpers/flows.ts';

function emptyScene(files: Record<string, string> = {}): Scene {
  const scene = aScene();
  delete scene.files.tree['herald.yaml'];
  Object.assign(scene.files.tree, files);
  return scene;
}

function rewrite({ files: { tree } }: Scene, path: string, from: RegExp, to: string): void {
  tree[path] = (tree[path] ?? '').replace(from, to);
}

describe('herald init', () => {
  it('writes a workspace that validates, plans and applies as it is', async () => {
    const scene = emptyScene();
    expectEnd(await scene.herald('init'), 0);
    expect(Object.keys(scene.files.tree).toSorted()).toEqual([
      '.gitignore',
      '.herald/schemas/herald.schema.json',
      '.herald/schemas/resources.schema.json',
      'broadcasts/news.yaml',
      'campaigns/welcome.yaml',
      'herald.yaml',
    ]);
    expect((await scene.herald('validate')).stdout).toBe('Valid: 2 resources in 2 files.\n');
    expect((await scene.herald('plan', '--detailed-exitcode')).code).toBe(2);
    expect((await scene.herald('apply', '--yes')).code).toBe(0);
    expect((await scene.herald('drift')).code).toBe(0);
  });

  it('writes no samples for a real service', async () => {
    const scene = emptyScene();
    const ran = await scene.herald('init', '--service', 'https://api.example/v1');
    expect(ran.code).toBe(0);
    expect(ran.stdout).toContain('herald trust https://api.example/v1');
    const { tree } = scene.files;
    expect(Object.keys(tree).filter((path) => path.endsWith('.yaml'))).toEqual(['herald.yaml']);
    expect(tree['herald.yaml']).toContain('base_url: "https://api.example/v1"');
    expect(tree['herald.yaml']).not.toContain('simulator');
    expect((await scene.herald('validate')).code).toBe(0);
  });

  it.each(['api.example', 'http://api.example', 'https://me:secret@api.example', ''])(
    'refuses the address %j, and writes nothing',
    async (url) => {
      const scene = emptyScene();
      const ran = await scene.herald('init', '--service', url);
      expect(ran.code).not.toBe(0);
      expect(ran.stderr).toContain('Nothing was written.');
      expect(scene.files.tree['herald.yaml']).toBeUndefined();
    },
  );

  it.each(['validate', 'plan', 'import', 'drift'])(
    'never lets %s take its samples to a service',
    async (command) => {
      const scene = emptyScene();
      await scene.herald('init');
      rewrite(scene, 'herald.yaml', /simulator: .*/, 'base_url: https://api.example');
      // A checkout on Windows that another tool has formatted, the first text written again, and a day that has passed.
      rewrite(scene, 'campaigns/welcome.yaml', /"/g, "'");
      rewrite(scene, 'campaigns/welcome.yaml', /So good/, 'Great');
      rewrite(scene, 'campaigns/welcome.yaml', /\n/g, '\r\n');
      rewrite(scene, 'broadcasts/news.yaml', /\d{4}-\d\d-\d\d/, '2030-01-01');
      const ran = await scene.herald(command);
      expect(ran.code).toBe(1);
      const told = `${ran.stdout}${ran.stderr}`;
      expect(told).toContain('campaigns/welcome.yaml:14:15: sample-content: ');
      expect(told).toContain('broadcasts/news.yaml:14:15: sample-content: ');
      expect(told).toContain('Write your own text, or delete it.');
    },
  );

  it('says which service commands use where HERALD_BASE_URL overrides the simulator', async () => {
    const scene = emptyScene();
    scene.env['HERALD_BASE_URL'] = 'https://api.example';
    const { stdout } = await scene.herald('init');
    expect(stdout).toContain('HERALD_BASE_URL overrides it: commands use the service of that variable.');
    expect(stdout).not.toContain('nothing leaves');
    expect((await scene.herald('validate')).stdout).toContain('HERALD_BASE_URL names a real service');
  });

  it('lets what a person wrote into its samples go', async () => {
    const scene = emptyScene();
    await scene.herald('init');
    rewrite(scene, 'herald.yaml', /simulator: .*/, 'base_url: https://api.example');
    rewrite(scene, 'campaigns/welcome.yaml', /So good/, 'Great');
    rewrite(scene, 'campaigns/welcome.yaml', /How was/, 'What was');
    delete scene.files.tree['broadcasts/news.yaml'];
    expect((await scene.herald('validate')).code).toBe(0);
  });

  it('writes the schemas that its files name', async () => {
    const scene = emptyScene();
    await scene.herald('init');
    const { tree } = scene.files;
    const yaml = Object.keys(tree).filter((path) => path.endsWith('.yaml'));
    for (const path of yaml) {
      const named = /\$schema=(\S+)/.exec(tree[path] ?? '')?.[1] ?? '';
      const schema = posix.join(posix.dirname(path), named);
      expect(Object.keys(tree), path).toContain(schema);
      expect(tree[schema]).toBe(readFileSync(`schemas/${posix.basename(schema)}`, 'utf8'));
    }
    expect(yaml).toHaveLength(3);
  });

  it('writes nothing in a format that it does not print', async () => {
    const scene = emptyScene();
    const ran = await scene.herald('init', '--format', 'csv');
    expect([ran.code, scene.files.tree]).toEqual([1, {}]);
    expect(ran.stderr).toContain('Use one of: text, json.');
  });

  it.each(['herald.yaml', 'campaigns/welcome.yaml'])('writes nothing where there is a %s', async (path) => {
    const scene = emptyScene({ [path]: 'mine' });
    expectEnd(await scene.herald('init'), 1, path);
    expect(scene.files.tree).toEqual({ [path]: 'mine' });
  });

  it('leaves the .gitignore of a repository alone and says what belongs into it', async () => {
    const scene = emptyScene({ '.gitignore': 'mine\n' });
    expectEnd(await scene.herald('init'), 0, '!.herald/schemas/');
    expect(scene.files.tree['.gitignore']).toBe('mine\n');
  });
});

describe('herald init --service with a key', () => {
  const atService = (key: string) => {
    const origins = new Set<string>();
    const { scene } = altered((request, answer) => {
      origins.add(new URL(request.url).origin);
      return answer();
    });
    delete scene.files.tree['herald.yaml'];
    Object.assign(scene.env, {
      HERALD_API_KEY: key,
      HERALD_BASE_URL: 'https://other.example',
      HERALD_ALLOWED_ORIGINS: 'https://api.example',
    });
    return { scene, origins };
  };

  it('writes the accounts that the key sees, and asks only the address that was typed', async () => {
    const { scene, origins } = atService('sim-key');
    const ran = await scene.herald('init', '--service', 'https://api.example');
    expect([ran.code, ran.stderr]).toEqual([0, '']);
    expect(ran.stdout).toContain(
      'herald.yaml has 3 accounts.\nNext: herald import, which writes files for what is live.\n',
    );
    expect(scene.files.tree['herald.yaml']).toContain(
      'accounts:\n  alice_x: { id: "101" }\n  bob_x: { id: "102" }\n',
    );
    expect([...origins]).toEqual(['https://api.example']);
    expect((await scene.herald('validate')).code).toBe(0);
    scene.files.tree['campaigns/imported/bob_x.yaml'] = 'accounts: [bob_x]\n';
    expect((await scene.herald('validate')).stdout).not.toContain('no-resource-files');
  });

  it('sends the key to no address that is not trusted, and names the command that trusts it', async () => {
    const { scene, origins } = atService('sim-key');
    scene.env['HERALD_ALLOWED_ORIGINS'] = 'https://other.example';
    const ran = await scene.herald('init', '--service', 'https://api.example');
    expectEnd(ran, 1, 'run herald trust https://api.example.');
    expect([...origins]).toEqual([]);
    expect(scene.files.tree).toEqual({});
  });

  it('writes nothing if the service refuses the key, so that it can be run again', async () => {
    const { scene } = atService('another-key');
    expectEnd(await scene.herald('init', '--service', 'https://api.example'), 1, 'answered 401');
    expect(scene.files.tree).toEqual({});
  });
});
