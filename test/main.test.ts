import { describe, expect, it } from 'vitest';
import { run } from '../src/main.ts';
import { VERSION } from '../src/version.ts';

/** A process of a few lines that counts how often it was told to keep compiled code. */
async function runIn(...args: readonly string[]) {
  return runAt(() => '/nowhere', ...args);
}

async function runAt(cwd: () => string, ...args: readonly string[]) {
  const stdout: string[] = [];
  const stderr: string[] = [];
  const refuse = () => {
    throw new Error('no one may leave or kill');
  };
  let kept = 0;
  const code = await run({
    argv: ['node', 'herald', ...args],
    env: {},
    pid: 1,
    version: process.version,
    stdin: (async function* () {})(),
    stdout: { write: (text: string) => stdout.push(text) > 0 },
    stderr: { write: (text: string) => stderr.push(text) > 0 },
    cwd,
    kill: refuse,
    on: () => undefined,
    off: () => undefined,
    exit: refuse,
    keepCompiledCode: () => (kept += 1),
  });
  return { code, stdout: stdout.join(''), kept, stderr: stderr.join('') };
}

describe('a start', () => {
  it.each(['--version', '-V'])('for %s loads nothing, so that there is nothing to keep', async (flag) => {
    expect(await runIn(flag)).toEqual({ code: 0, stdout: `${VERSION}\n`, kept: 0, stderr: '' });
  });

  it('lets Node keep what it compiles for any other command', async () => {
    const { code, stdout, kept } = await runIn('help');
    expect({ code, kept }).toEqual({ code: 0, kept: 1 });
    expect(stdout).toContain('Usage: herald');
  });

  it('in a folder that is gone says so, and what to do', async () => {
    const gone = () => {
      throw Object.assign(new Error('ENOENT: no such file or directory, uv_cwd'), { code: 'ENOENT' });
    };
    const { code, stderr } = await runAt(gone, 'plan');
    expect([code, stderr]).toEqual([1, expect.stringContaining('This folder does not exist any more.')]);
  });
});
