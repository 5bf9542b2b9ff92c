import { describe, expect, it } from 'vitest';
import { createOutput, type TextStream } from '../../src/host/output.ts';

function aStream(isTTY = false): TextStream & { readonly written: string[] } {
  const written: string[] = [];
  return { isTTY, columns: 20, written, write: (piece) => written.push(Buffer.from(piece).toString()) };
}

function anOutput({ tty = false, noColour = false, quiet = false } = {}) {
  const [stdout, stderr] = [aStream(tty), aStream(tty)];
  return { stdout, stderr, output: createOutput({ stdout, stderr, noColour, quiet }) };
}

describe('output', () => {
  it('sends results to stdout and words to stderr, each ending its line', () => {
    const { output, stdout, stderr } = anOutput();
    output.result('a result');
    output.say('a word\n');
    expect(stdout.written).toEqual(['a result\n']);
    expect(stderr.written).toEqual(['a word\n']);
  });

  it('keeps quiet about everything but results and failures', () => {
    const { output, stderr } = anOutput({ quiet: true, tty: true });
    output.say('a word');
    output.progress('1/2');
    output.fail('a failure');
    expect(stderr.written).toEqual(['a failure\n']);
  });

  it('shows progress on a terminal only, on one line that is written over', () => {
    const piped = anOutput();
    piped.output.progress('1/2');
    expect(piped.stderr.written).toEqual([]);
    const { output, stderr } = anOutput({ tty: true });
    output.progress('a line that is longer than the terminal');
    output.say('done');
    expect(stderr.written).toEqual(['a line that is long', '\r\u001b[2K', 'done\n']);
  });

  it('passes bytes on as they arrive', async () => {
    const { output, stdout } = anOutput();
    await output.bytes(new Blob(['one', 'two']).stream());
    expect(stdout.written.join('')).toBe('onetwo');
  });

  it('has colour on a terminal unless it is declined', () => {
    expect(anOutput({ tty: true }).output.colour).toBe(true);
    expect(anOutput({ tty: true, noColour: true }).output.colour).toBe(false);
    expect(anOutput().output.colour).toBe(false);
  });
});
