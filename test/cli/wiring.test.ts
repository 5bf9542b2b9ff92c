import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { describe, expect, it, onTestFinished } from 'vitest';
import { shown } from '../../src/domain/visible.ts';
import { errorReportShape } from '../../src/domain/change.ts';
import type { EndSignal, Host } from '../../src/host/host.ts';
import { run } from '../../src/main.ts';
import { jobUrl } from '../../src/provider/job.ts';
import { createContext } from '../../src/cli/wiring.ts';
import { withState } from '../../src/library/state-access.ts';
import { State } from '../../src/state/state.ts';
import { aHost } from '../helpers/hosts.ts';
import { aRun } from '../helpers/states.ts';

const FLAGS = { verbose: false, chdir: [], quiet: false };

const HERALD = `version: 1
service: { simulator: .herald/world.json }
accounts: { alice: { id: "101" } }
`;
const CAMPAIGN = `accounts: [alice]
campaigns:
  - { name: Welcome, trigger: welcome_message, action: send_message, audience: everyone, messages: [{ text: Hey }] }
`;

/** One run at a terminal, in a real directory; `onQuestion` is what happens once a question stands on it. */
async function atTerminal(
  args: readonly string[],
  onQuestion: (act: { type(keys: string): void; send(signal: EndSignal): void }) => void,
) {
  const root = mkdtempSync(join(tmpdir(), 'herald-terminal-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  writeFileSync(join(root, 'herald.yaml'), HERALD);
  mkdirSync(join(root, 'campaigns'));
  writeFileSync(join(root, 'campaigns', 'all.yaml'), CAMPAIGN);
  const said = { stdout: '', stderr: '' };
  const listeners = new Set<{ event: EndSignal; listener: () => void }>();
  const [input, output] = [new PassThrough(), new PassThrough()];
  let isAsked = false;
  let isRaw = false;
  output.on('data', (piece: Buffer) => {
    said.stderr += piece.toString();
    if (isAsked || !said.stderr.includes('Type ')) return;
    isAsked = true;
    setImmediate(() =>
      onQuestion({
        type: (keys) => void input.write(keys),
        send: (signal) => {
          const heard = [...listeners].filter(({ event }) => event === signal);
          if (heard.length === 0) throw new Error(`${signal} would end the process`);
          for (const { listener } of heard) listener();
        },
      }),
    );
  });
  const host = aHost({
    argv: ['node', 'herald', ...args],
    stdin: Object.assign(input, { isTTY: true, setRawMode: (mode: boolean) => (isRaw = mode) }),
    stdout: { write: (text) => (said.stdout += String(text)) },
    stderr: { write: (text) => (said.stderr += String(text)), isTTY: true },
    terminal: () => ({ input, output }),
    cwd: () => root,
    on: (event, listener) => listeners.add({ event, listener }),
    off: (event, listener) =>
      listeners.forEach((one) => one.event === event && one.listener === listener && listeners.delete(one)),
  });
  const code = await run(host);
  const lease = await withState(State.openToRead(aRun({ kind: 'sqlite', directory: root })), (state) =>
    state.leaseRecord(),
  );
  return { code, ...said, lease, listening: listeners.size, isRaw };
}

const APPLY = ['apply', '--format', 'json'];

describe('a question at the terminal', () => {
  it.each([
    ['Ctrl-C', ({ type }: { type(keys: string): void }) => type('\u0003')],
    ['Ctrl-D', ({ type }: { type(keys: string): void }) => type('\u0004')],
    ['SIGINT', ({ send }: { send(signal: EndSignal): void }) => send('SIGINT')],
    ['SIGTERM', ({ send }: { send(signal: EndSignal): void }) => send('SIGTERM')],
    ['SIGHUP', ({ send }: { send(signal: EndSignal): void }) => send('SIGHUP')],
  ])('that is left by %s ends as interrupted, with nothing sent and nothing locked', async (_what, act) => {
    const { code, stdout, lease, listening, isRaw } = await atTerminal(APPLY, act);
    expect(code).toBe(130);
    expect(errorReportShape.parse(JSON.parse(stdout))).toMatchObject({
      code: 'interrupted',
      message: 'Interrupted; nothing was sent.',
    });
    expect(lease).toBeNull();
    expect(listening, 'no one listens for signals any more').toBe(0);
    expect(isRaw, 'the terminal is as it was').toBe(false);
  });
});

it('an interrupt takes the place of the progress line', async () => {
  let written = '';
  const heard = new Map<EndSignal, () => void>();
  const host = aHost({
    stderr: { write: (text) => (written += String(text)), isTTY: true, columns: 80 },
    on: (event, listener) => heard.set(event, listener),
    off: (event) => heard.delete(event),
  });
  const context = createContext(host, { ...FLAGS, color: false });
  const words = { first: 'Interrupted.', second: 'Left.' };
  await context.protect(() => {
    context.output.progress(shown`applying 1/2`);
    heard.get('SIGINT')?.();
    expect(() => heard.get('SIGINT')?.()).toThrow('left at once');
    return Promise.resolve();
  }, words);
  expect(written).toBe('applying 1/2\r\u001b[2K\nInterrupted.\n\nLeft.\n');
  expect(context.interrupted.aborted).toBe(true);
});

/** The output of a run without a terminal. */
function outputWith(env: Host['env'], color: boolean, write: (text: string) => void) {
  const stream = { write: (text: string | Uint8Array) => write(String(text)) };
  const host = aHost({ env, stdout: stream, stderr: stream });
  return createContext(host, { ...FLAGS, color }).output;
}

it.each([
  [{ FORCE_COLOR: '1' }, true],
  [{ FORCE_COLOR: '0' }, false],
  [{ FORCE_COLOR: '' }, false],
  [{ FORCE_COLOR: '1', NO_COLOR: '1' }, false],
  [{}, false],
])('has colour without a terminal only if FORCE_COLOR asks for it: %j', (env, colour) => {
  expect(outputWith(env, true, () => undefined).colour).toBe(colour);
});

it('no token of a provider is in any output', () => {
  let written = '';
  const names = ['GITHUB_TOKEN', 'GH_TOKEN', 'HERALD_GITLAB_TOKEN', 'GITLAB_TOKEN', 'CI_JOB_TOKEN'];
  const env = Object.fromEntries(names.map((name) => [name, `hidden-${name}`]));
  const output = outputWith(env, false, (text) => (written += text));
  for (const name of names) output.fail(shown`the token is hidden-${name}`);
  for (const name of names) output.result(shown`the token is hidden-${name}`);
  expect(written).toBe('the token is ***\n'.repeat(names.length * 2));
});

const GITHUB = {
  GITHUB_SERVER_URL: 'https://git.example',
  GITHUB_REPOSITORY: 'agency/ads',
  GITHUB_RUN_ID: '4711',
  GITHUB_ACTOR: 'ana',
};

const whoRuns = (env: Host['env']) => createContext(aHost({ env }), { ...FLAGS, color: false }).identity.who;

describe('the one who has a lease', () => {
  it('is named with its job in CI, and with a link to it', () => {
    expect(whoRuns(GITHUB)).toBe('ana (job 4711)');
    expect(jobUrl(GITHUB)).toBe('https://git.example/agency/ads/actions/runs/4711');
    const gitlab = {
      CI_JOB_ID: '12',
      GITLAB_USER_LOGIN: 'bo',
      CI_JOB_URL: 'https://lab.example/a/-/jobs/12',
    };
    expect([whoRuns(gitlab), jobUrl(gitlab)]).toEqual(['bo (job 12)', 'https://lab.example/a/-/jobs/12']);
  });

  it('is the user outside CI', () => {
    expect(whoRuns({})).not.toBe('');
    expect(jobUrl({})).toBeNull();
  });

  it.each([
    ['a script', 'javascript:alert(1)'],
    ['a file', 'file:///etc/passwd'],
    ['no address', 'job 12'],
    ['a very long address', `https://lab.example/${'x'.repeat(400)}`],
  ])('has no link that is %s', (_title, CI_JOB_URL) => {
    expect(jobUrl({ CI_JOB_URL })).toBeNull();
  });

  it('has a link without a password, a token and control characters', () => {
    const url = jobUrl({
      CI_JOB_URL: 'https://bo:hidden@lab.example/a\u001b[2J\u202e/12?token=hidden#hidden',
    });
    expect(url).toMatch(/^https:\/\/lab\.example\/[!-~]+$/);
    expect(url).not.toContain('hidden');
  });

  it('has one short line as its name, whatever the variables contain', () => {
    const who = whoRuns({ GITHUB_ACTOR: `a\u001b[31m\nb\u202e${'c'.repeat(500)}`, GITHUB_RUN_ID: '1\n2' });
    expect(who).toMatch(/^a \[31m b c+ \(job 1 2\)$/);
    expect(who.length).toBeLessThan(120);
  });
});
