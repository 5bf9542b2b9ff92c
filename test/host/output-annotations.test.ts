import { describe, expect, it } from 'vitest';
import { createOutput, gitHubAnnotations } from '../../src/host/output.ts';
import { HOSTILE } from '../render/hostile.ts';
import type { Annotation } from '../../src/domain/ports.ts';

const GITHUB = { GITHUB_ACTIONS: 'true', GITHUB_WORKSPACE: '/repository' };
const FINDING: Annotation = {
  level: 'error',
  title: 'unknown-key',
  message: 'Unknown key.',
  place: { file: 'campaigns/a.yaml', line: 3, column: 5 },
};

/** The line of an annotation in a workspace below the repository. */
function drawn(parts: Partial<Annotation> = {}, directory = '/repository/ads'): string {
  return gitHubAnnotations(GITHUB, directory)?.({ ...FINDING, ...parts }) ?? '';
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
    expect(gitHubAnnotations({}, '/repository')).toBeUndefined();
    expect(gitHubAnnotations({ GITHUB_ACTIONS: 'false' }, '/repository')).toBeUndefined();
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
});

describe('the output', () => {
  const streams = () => {
    const written: string[] = [];
    const stderr = { write: (text: string | Uint8Array) => written.push(String(text)) };
    return { written, stdout: { write: () => true }, stderr };
  };

  it('prints an annotation as a line of its own, without secrets', () => {
    const { written, ...to } = streams();
    const annotation = gitHubAnnotations(GITHUB, '/repository');
    const output = createOutput({ ...to, noColour: true, quiet: false, annotation });
    output.hide('secret%key:1');
    output.annotate?.({ ...FINDING, message: 'The key is secret%key:1.' });
    expect(written).toEqual([
      '::error file=campaigns/a.yaml,line=3,col=5,title=unknown-key::The key is ***.\n',
    ]);
  });
});
