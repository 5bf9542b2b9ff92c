import { expect, it } from 'vitest';
import type { LocalFile } from '../../src/api/upload-file.ts';
import type { Context, Surroundings } from '../../src/cli/context.ts';
import { defineCommand } from '../../src/cli/define-command.ts';
import { runProgram } from '../../src/cli/run-program.ts';
import { ReaderGoneError } from '../../src/domain/ports.ts';
import type { RunEvent } from '../../src/engine/run.ts';
import { aHost } from '../helpers/hosts.ts';
import { aChange } from '../helpers/plan-builders.ts';

/** Runs a command that does this, and returns its exit code. */
function runOne(work: (context: Context) => void, around: object): Promise<number> {
  const run = (context: Context) => {
    work(context);
    return 0 as const;
  };
  const load = async () => defineCommand({ path: 'one', about: '', examples: [], needs: 'nothing', run });
  const wire = () => ({ flags: {}, env: {}, ...around }) as unknown as Surroundings;
  return runProgram(['one'], aHost({}), wire, { commands: [{ heading: '', path: 'one', load }], groups: {} });
}

it('a command ends well where its reader has closed the pipe', async () => {
  const leave = () => {
    throw new ReaderGoneError();
  };
  expect(await runOne(leave, {})).toBe(0);
});

/** What a person reads of an event. */
async function reported(event: RunEvent): Promise<string> {
  const lines: string[] = [];
  const keep = (line: string) => void lines.push(line);
  const output = { say: keep, fail: keep, progress: () => undefined };
  await runOne(({ report }) => report(event), { output });
  return lines.join('\n');
}

const change = aChange({ action: 'pause', name: 'Welcome' });

it.each<[RunEvent, string]>([
  [
    { kind: 'stopped-early', result: { change, outcome: 'applied', liveId: '7', reasons: [] } },
    'Sent while waiting: pause alice/campaign/Welcome (7): applied',
  ],
  [{ kind: 'bug', error: new Error('a bug') }, 'Error: a bug'],
  [
    { kind: 'unverified', error: new Error('no answer') },
    'warning: not-verified: The result could not be verified: no answer. Run herald plan later.',
  ],
])('an event of a run is a line for people: %#', async (event, line) => {
  expect(await reported(event)).toContain(line);
});

const MIB = 2 ** 20;

function aFile(name: string, size: number): LocalFile {
  return { path: name, name, size, contentType: 'video/mp4', changedMs: 0 };
}

it('says how many files and how much of them are there, and what each does now', async () => {
  const lines: string[] = [];
  let nowMs = 0;
  const follow = ({ followUpload }: Context) => {
    const small = followUpload(aFile('a\u001b[31m.jpg', MIB));
    const large = followUpload(aFile('hello.mp4', 9 * MIB));
    small.onPhase('exporting');
    nowMs = 2_000;
    large.onPhase('uploading');
    large.onBytes(5 * MIB);
    small.onEnd();
    large.onEnd();
  };
  const output = { progress: (line: string) => void lines.push(line) };
  await runOne(follow, { clock: { monotonicMs: () => nowMs }, output });
  expect(lines).toEqual([
    '0 of 2 files, 0% of 10.0 MiB · a\\u{1b}[31m.jpg exporting',
    '0 of 2 files, 0% of 10.0 MiB · a\\u{1b}[31m.jpg exporting · hello.mp4 uploading',
    '1 of 2 files, 60% of 10.0 MiB · hello.mp4 uploading',
    '',
  ]);
});
