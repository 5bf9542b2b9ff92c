import { describe, expect, it } from 'vitest';
import { CATALOGUE, OPERATIONS, type Operation } from '../../../src/api/catalogue.ts';
import { PERMISSIONS } from '../../../src/api/catalogue.ts';
import { aScene, type Ran, type Scene } from '../../helpers/scene.ts';
import { CALL_EXAMPLES } from './call-examples.ts';

/** Uploads in parts make all three calls of an upload. */
const WORLD = { modes: { uploadShape: 'multipart', uploadPartBytes: 4000 } } as const;

async function prepared(operation: Operation): Promise<{ scene: Scene; args: readonly string[] }> {
  const scene = aScene({ world: WORLD });
  const { args = '', prepare } = CALL_EXAMPLES[operation] ?? {};
  const id = (await prepare?.(scene)) ?? '';
  return { scene, args: args.split(' ').map((word) => (word === 'ID' ? id : word)) };
}

const lineOf = ({ stdout, stderr }: Ran): string => `${stdout}${stderr}`.replaceAll(/\s+/g, ' ');

it('the examples of calls are of every call, by the command that the table names', () => {
  expect(Object.keys(CALL_EXAMPLES).toSorted()).toEqual([...OPERATIONS].toSorted());
});

describe.each(OPERATIONS)('%s', (operation) => {
  it('is carried out by the simulator', async () => {
    const { scene, args } = await prepared(operation);
    const ran = await scene.herald(...args, '--verbose');
    expect(ran.code, ran.stderr).toBe(0);
    const { method, path, success } = CATALOGUE[operation];
    expect(ran.stderr).toMatch(new RegExp(`${method} \\S+${inAnyPlace(path)}(?:[?]\\S*)? -> ${success} `));
  });

  it('names the permission that the key lacks', async () => {
    const { permission } = CATALOGUE[operation];
    const { scene, args } = await prepared(operation);
    const permissions = PERMISSIONS.filter((one) => one !== permission);
    await scene.service((control) => control.addKey({ key: 'sim-key', permissions }));
    const ran = await scene.herald(...args);
    expect(ran.code).not.toBe(0);
    expect(lineOf(ran)).toContain(`lacks the permission ${permission}`);
  });
});

/** The path with any values in place of its parameters. */
function inAnyPlace(path: string): string {
  return path.replaceAll(/\{\w+\}/g, '[^/ ]+');
}
