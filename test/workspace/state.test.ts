import { describe, expect, it } from 'vitest';
import { diagnose } from './declare.ts';
import { readState } from '../../src/workspace/workspace.ts';

const POSTGRES = '{ postgres: "${HERALD_STATE_URL}", workspace: w }';

describe('the place of the state in herald.yaml', () => {
  it.each([
    ['plain', `version: 1\nstate: ${POSTGRES}`],
    ['with an escape', `version: 1\n"\\x73tate": ${POSTGRES}`],
    ['over two lines', `version: 1\n? "st\\\n  ate"\n: { postgres: "\${HERALD_DB}", workspace: w }`],
    ['in braces', `{ version: 1, state: ${POSTGRES} }`],
    ['with a tag', `version: 1\n!!str state: ${POSTGRES}`],
    ['next to errors of other sections', `version: 1\nservice: { base_url: 3 }\nstate: ${POSTGRES}`],
  ])('is found where its key is written %s', (_, text) => {
    expect(readState(text)).toMatchObject({
      postgres: expect.stringMatching(/^HERALD_\w+$/),
      workspace: 'w',
      lease_sec: 60,
    });
  });

  it.each([
    ['is written twice, files last', `version: 1\nstate: ${POSTGRES}\nstate: .herald`],
    ['is written twice, files first', `version: 1\nstate: .herald\nstate: ${POSTGRES}`],
    ['is an alias', `version: 1\nx: &a state\n*a : ${POSTGRES}`],
    ['is merged in', `version: 1\nx: &a { state: ${POSTGRES} }\n<<: *a`],
    ['is empty', 'version: 1\nstate:'],
    ['is in a second document', `version: 1\n---\nversion: 1\nstate: ${POSTGRES}`],
    ['has a capital letter', `version: 1\nState: ${POSTGRES}`],
    ['has another letter', `version: 1\nstates: ${POSTGRES}`],
    ['has no workspace', 'version: 1\nstate: { postgres: "${HERALD_STATE_URL}" }'],
    ['has an address', 'version: 1\nstate: { postgres: "postgres://a:b@c/d", workspace: w }'],
  ])('is not taken for files where `state` %s', (_, text) => {
    expect(readState(text)).toBeNull();
  });

  it.each([
    ['{ git_branch: herald-state }', { remote: 'origin', git_branch: 'herald-state' }],
    ['{ git_branch: ads/state, remote: mirror }', { remote: 'mirror', git_branch: 'ads/state' }],
  ])('is on a branch with %s', (state, found) => {
    expect(readState(`version: 1\nstate: ${state}`)).toEqual(found);
  });

  it.each(['-f', 'a b', 'a..b', 'refs/heads/x.lock', '"$(id)"', '""', 'a/'])(
    'is on no branch with the name %s, which goes into commands',
    (branch) => {
      expect(readState(`version: 1\nstate: { git_branch: ${branch} }`)).toBeNull();
    },
  );

  it.each([
    [
      '{ postgress: "${HERALD_STATE_URL}", workspace: x }',
      'Unknown key "postgress". Did you mean "postgres"?',
    ],
    ['{ store_texts: false }', 'store_texts'],
    ['{ git_branch: herald-state, remote: "https://a:b@c" }', 'Write the name of a remote: origin'],
    ['{ postgres: "${HERALD_STATE_URL}" }', '"workspace" is missing'],
    [
      '{ postgres: "postgres://a:b@c/d", workspace: x }',
      'Write ${HERALD_STATE_URL}: the address has a password',
    ],
    ['elsewhere', 'Write .herald'],
  ])('says what is wrong with %s', async (state, words) => {
    const diagnostics = await diagnose({ 'herald.yaml': `version: 1\nstate: ${state}` });
    expect(diagnostics.map(({ message }) => message).join(' ')).toContain(words);
  });

  it('is in files where nothing names another one', () => {
    for (const text of ['version: 1', 'version: 1\nstate: .herald', 'version: 1\nfiles: ["state/*.yaml"]'])
      expect(readState(text)).toBe('.herald');
  });
});
