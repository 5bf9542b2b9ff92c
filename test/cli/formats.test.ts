import { describe, expect, it } from 'vitest';
import { aScene } from '../helpers/scene.ts';

/** What each command needs before it looks at its format. */
const NEEDED: Readonly<Record<string, readonly string[]>> = {
  'state close': ['--because', 'seen'],
  'state forget': ['--because', 'seen'],
  'state prune': ['--before', '90d'],
  'ci drift': ['--simulator'],
  'payouts request': ['--account', 'alice', '--amount', '1'],
  'vault thumbnail': ['--out', 'thumb.jpg'],
  'fans label': ['--name', 'Tom'],
  api: ['--list'],
};

interface Command {
  readonly path: string;
  readonly help: string;
}

async function helpOf(path: string): Promise<string> {
  return (await aScene().herald(...path.split(' ').filter((word) => word !== ''), '--help')).stdout;
}

/** All commands that do something, as the help lists them. */
async function commandsBelow(path: string): Promise<readonly Command[]> {
  const help = await helpOf(path);
  const [usage = ''] = help.split('\n');
  const list = help.split(/\nOptions:\n/)[1]?.split(/\n(?:Exit codes|Examples):/)[0] ?? '';
  const words = /\[command\]/.test(usage)
    ? [...list.matchAll(/^ {2}([a-z][a-z-]*)(?:\|[a-z]+)?(?= )/gm)].map(([, word]) => word ?? '')
    : [];
  const below = await Promise.all(
    words.filter((word) => word !== 'help').map((word) => commandsBelow(`${path} ${word}`.trim())),
  );
  const acts = words.length === 0 || help.includes('--format <name>');
  return [...(path !== '' && acts ? [{ path, help }] : []), ...below.flat()];
}

function choicesIn(help: string): readonly string[] {
  const text = help.replaceAll(/\s+/g, ' ');
  return (/--format <name>[^(]*\(choices: ([^)]*)\)/.exec(text)?.[1] ?? '').match(/[a-z]+/g) ?? [];
}

const commands = await commandsBelow('');

describe('--format', () => {
  it('is in the help of every command', () => {
    expect(commands.length).toBeGreaterThan(50);
    const without = commands.filter(({ help }) => choicesIn(help).length === 0).map(({ path }) => path);
    expect(without).toEqual([]);
  });

  it.each(commands)('of $path is what its help and its completion offer', async ({ path, help }) => {
    const [usage = ''] = help.split('\n');
    const places = usage.match(/<[^>]+>/g) ?? [];
    const words = places.map((place) => (place === '<SHELL>' ? 'bash' : 'x'));
    const args = [...path.split(' '), ...words, ...(NEEDED[path] ?? [])];
    const ran = await aScene().herald(...args, '--format', 'unknown-one');
    const taken = /Use one of: ([a-z, ]+)\./.exec(ran.stderr.replaceAll(/\s+/g, ' '))?.[1]?.split(', ');
    expect(taken, ran.stderr).toBeDefined();
    expect(taken?.toSorted()).toEqual(choicesIn(help).toSorted());
  });
});
