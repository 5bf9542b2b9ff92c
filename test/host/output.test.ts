import { EventEmitter } from 'node:events';
import { describe, expect, it } from 'vitest';
import { assumeVisible, shown, visible, type Visible } from '../../src/domain/visible.ts';
import { ReaderGoneError, type Annotation, type Output } from '../../src/domain/ports.ts';
import { createOutput, type TextStream } from '../../src/host/output.ts';
import { HOSTILE } from '../render/forgery.ts';
import { turns } from '../helpers/flow-clock.ts';

function aStream(isTTY = false, columns = 20): TextStream & { readonly written: string[] } {
  const written: string[] = [];
  return { isTTY, columns, written, write: (piece) => written.push(Buffer.from(piece).toString()) };
}

function anOutput({
  tty = false,
  columns = 20,
  noColour = false,
  quiet = false,
  env = {},
  directory = '.',
} = {}) {
  const [stdout, stderr] = [aStream(tty, columns), aStream(tty, columns)];
  return { stdout, stderr, output: createOutput({ stdout, stderr, noColour, quiet, env, directory }) };
}

describe('output', () => {
  it('sends results to stdout and words to stderr, each ending its line', () => {
    const { output, stdout, stderr } = anOutput();
    output.result(shown`a result`);
    output.say(shown`a word\n`);
    expect(stdout.written).toEqual(['a result\n']);
    expect(stderr.written).toEqual(['a word\n']);
  });

  it('keeps quiet about everything but results and failures', () => {
    const { output, stderr } = anOutput({ quiet: true, tty: true });
    output.say(shown`a word`);
    output.progress(shown`1/2`);
    output.fail(shown`a failure`);
    expect(stderr.written).toEqual(['a failure\n']);
  });

  it.each([
    ['stdout', (output: Output, text: Visible): void => output.result(text)],
    ['stdout', (output: Output, text: Visible): void => void output.stream(text)],
    ['stderr', (output: Output, text: Visible): void => output.say(text)],
    ['stderr', (output: Output, text: Visible): void => output.fail(text)],
  ] as const)('lets nothing out on %s that a terminal or a CI runner obeys', (to, print) => {
    const ran = anOutput();
    print(ran.output, assumeVisible('a\u001b[2J\u009b\u202e\n  ::error::x\n##vso[task.x]y\n'));
    expect(ran[to].written.join('')).toBe(
      'a\\u{1b}[2J\\u{9b}\\u{202e}\n  \\u{3a}:error::x\n#\\u{23}vso[task.x]y\n',
    );
  });

  it('lets colour through where there is colour, and nothing else', () => {
    const text = assumeVisible('\u001b[31mred\u001b[0m \u001b[2J\n');
    const [coloured, plain] = [anOutput({ tty: true }), anOutput({ tty: true, noColour: true })];
    coloured.output.result(text);
    plain.output.result(text);
    expect(coloured.stdout.written).toEqual(['\u001b[31mred\u001b[0m \\u{1b}[2J\n']);
    expect(plain.stdout.written).toEqual(['\\u{1b}[31mred\\u{1b}[0m \\u{1b}[2J\n']);
  });

  it('keeps progress on one line, whatever it quotes, and on the narrowest terminal', () => {
    const { output, stderr } = anOutput({ tty: true });
    output.progress(assumeVisible('a\nb\u001b[2J'));
    expect(stderr.written).toEqual(['a\\nb\\u{1b}[2J']);
    const narrow = anOutput({ tty: true, columns: 5 });
    narrow.output.progress(shown`reading`);
    expect(narrow.stderr.written).toEqual(['read']);
  });

  it('shows progress on a terminal only, on one line that is written over', () => {
    const piped = anOutput();
    piped.output.progress(shown`1/2`);
    expect(piped.stderr.written).toEqual([]);
    const { output, stderr } = anOutput({ tty: true });
    output.progress(shown`a line that is longer than the terminal`);
    output.say(shown`done`);
    expect(stderr.written).toEqual(['a line that is long', '\r\u001b[2K', 'done\n']);
  });

  it.each([
    ['wide characters', '名前名前名前名前名前名前', '名前名前名前名前名'],
    ['pictures of two units', '🎉🎉🎉🎉🎉🎉🎉🎉🎉🎉🎉', '🎉🎉🎉🎉🎉🎉🎉🎉🎉'],
  ])('cuts progress where it would wrap: %s', (_what, text, shown) => {
    const { output, stderr } = anOutput({ tty: true });
    output.progress(visible(text));
    expect(stderr.written).toEqual([shown]);
  });

  it('never writes progress over a line that a result has begun', async () => {
    const written: string[] = [];
    const stream = { isTTY: true, columns: 60, write: (text: unknown) => written.push(String(text)) };
    const output = createOutput({ stdout: stream, stderr: stream, noColour: true, quiet: false });
    await output.stream(shown`[\n  {"id":"1"}`);
    output.progress(shown`1 row, page 1`);
    await output.stream(shown`\n]\n`);
    output.progress(shown`over`);
    expect(written.join('')).toBe('[\n  {"id":"1"}\n]\nover');
  });

  it('has colour on a terminal unless it is declined', () => {
    expect(anOutput({ tty: true }).output.colour).toBe(true);
    expect(anOutput({ tty: true, noColour: true }).output.colour).toBe(false);
    expect(anOutput({ tty: true, env: { NO_COLOR: '1' } }).output.colour).toBe(false);
    expect(anOutput({ tty: true, env: { TERM: 'dumb' } }).output.colour).toBe(false);
    expect(anOutput().output.colour).toBe(false);
    for (const no of ['0', '']) expect(anOutput({ env: { FORCE_COLOR: no } }).output.colour).toBe(false);
    expect(anOutput({ env: { FORCE_COLOR: '1' } }).output.colour).toBe(true);
    expect(anOutput({ env: { FORCE_COLOR: '1', NO_COLOR: '1' } }).output.colour).toBe(false);
  });
});

it('masks the secrets of its environment: those of Herald and of the job', () => {
  const env = {
    HERALD_API_KEY: 'first-secret',
    HERALD_EVENTS_PATH_SECRET: 'second-secret',
    HERALD_DB: 'postgres://herald:third-secret@db.example/herald',
    GITHUB_TOKEN: 'fourth-secret',
    CI_JOB_TOKEN: 'fifth-secret',
    HERALD_URL: 'https://service.example',
    CI_COMMIT_SHA: 'sixth-value',
    CACHE_KEY: 'production',
  };
  const { output } = anOutput({ env });
  const shownNames = Object.entries(env).filter(([, value]) => output.masked(value) === value);
  expect(shownNames.map(([name]) => name)).toEqual(['HERALD_URL', 'CI_COMMIT_SHA', 'CACHE_KEY']);
});

it.each([
  ['in its columns', { tty: true, columns: 100 }, 100],
  ['in 80 columns', { tty: true, columns: 0 }, 80],
  ['in 20 columns', { tty: true, columns: 1 }, 20],
  ['without breaking a line', { columns: 100 }, Number.POSITIVE_INFINITY],
])('text is drawn %s where stdout is %j', (_, stream, width) => {
  expect(anOutput(stream).output.width).toBe(width);
});

/** A reader that takes a piece at a time and says when it wants more. */
class Reader extends EventEmitter {
  readonly taken: string[] = [];
  behind = false;
  write(piece: string | Uint8Array): boolean {
    this.taken.push(Buffer.from(piece).toString());
    return !this.behind;
  }
}

const outputTo = (stdout: Reader) =>
  createOutput({ stdout, stderr: aStream(), noColour: true, quiet: false });

const settledWithin = async (work: Promise<unknown>, count = 5) => {
  let settled = false;
  void work.finally(() => (settled = true)).catch(() => undefined);
  await turns(count);
  return settled;
};

describe('a long result', () => {
  it('waits while the reader is behind', async () => {
    const reader = new Reader();
    reader.behind = true;
    const writing = outputTo(reader).stream(shown`piece`);
    expect(await settledWithin(writing)).toBe(false);
    reader.emit('drain');
    await writing;
    expect(reader.taken).toEqual(['piece']);
  });

  it.each([
    ['while it waits', true],
    ['between two pieces', false],
  ])('ends when the reader goes away %s', async (_, behind) => {
    const reader = new Reader();
    const output = outputTo(reader);
    await output.stream(shown`first`);
    reader.behind = behind;
    const waiting = behind ? output.stream(shown`second`) : null;
    reader.emit('error', Object.assign(new Error('broken pipe'), { code: 'EPIPE' }));
    await expect(waiting ?? output.stream(shown`second`)).rejects.toBeInstanceOf(ReaderGoneError);
    await expect(output.stream(shown`third`)).rejects.toBeInstanceOf(ReaderGoneError);
    expect(reader.taken).not.toContain('third');
  });

  it('fails with what the system says where it cannot be kept', async () => {
    const reader = new Reader();
    reader.behind = true;
    const writing = outputTo(reader).stream(shown`piece`);
    const full = Object.assign(new Error('no space left'), { code: 'ENOSPC', syscall: 'write' });
    reader.emit('error', full);
    await expect(writing).rejects.toBe(full);
  });
});

const GITHUB = { GITHUB_ACTIONS: 'true', GITHUB_WORKSPACE: '/repository' };
const FINDING: Annotation = {
  level: 'error',
  title: 'unknown-key',
  message: 'Unknown key.',
  place: { file: 'campaigns/a.yaml', line: 3, column: 5 },
};

/** The line of an annotation in a workspace below the repository. */
function drawn(parts: Partial<Annotation> = {}, directory = '/repository/ads'): string {
  const { stderr, output } = anOutput({ env: GITHUB, directory });
  output.annotate?.({ ...FINDING, ...parts });
  return stderr.written.join('').replace(/\n$/, '');
}

describe('an annotation on GitHub', () => {
  it('names the file from the top of the repository, with line and column', () => {
    expect(drawn()).toBe('::error file=ads/campaigns/a.yaml,line=3,col=5,title=unknown-key::Unknown key.');
    expect(drawn({}, '/repository')).toContain('file=campaigns/a.yaml,');
  });

  it('without a place is a message alone', () => {
    expect(drawn({ level: 'notice', place: null })).toBe('::notice title=unknown-key::Unknown key.');
  });

  it('is made on GitHub only', () => {
    expect(anOutput().output.annotate).toBeUndefined();
    expect(anOutput({ env: { GITHUB_ACTIONS: 'false' } }).output.annotate).toBeUndefined();
  });

  it.each([
    'a\n::add-mask::secret',
    'a\r\n::set-output name=x::y',
    'a%0A::error::forged',
    '::stop-commands::token',
    '##[error]forged',
    'x,line=99,file=other',
    'x::warning::forged',
    ...HOSTILE,
  ])('is one command, whatever a file holds: %j', (text) => {
    const line = drawn({ title: text, message: text, place: { file: text, line: 1, column: 1 } });
    expect(line).toMatch(/^::error file=[^:,]*,line=1,col=1,title=[^:,]*::/);
    expect(line).not.toMatch(/[\r\n\u001b]|##\[/);
    // What the runner reads back has no line break either, and `%` stays what it was.
    expect(line.match(/%0[AD]/gi)).toBeNull();
  });

  it('is printed as a line of its own, without secrets', () => {
    const { stderr, output } = anOutput({ env: GITHUB, directory: '/repository' });
    output.hide('secret%key:1');
    output.annotate?.({ ...FINDING, message: 'The key is secret%key:1.' });
    expect(stderr.written).toEqual([
      '::error file=campaigns/a.yaml,line=3,col=5,title=unknown-key::The key is ***.\n',
    ]);
  });
});
