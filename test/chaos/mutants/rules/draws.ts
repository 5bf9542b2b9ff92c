import type { Mutant } from '../mutant.ts';

/** What a person closes, and what people with other files or other names do next to a run. */
export const DRAWS: readonly Mutant[] = [
  {
    name: 'a request under way is closed',
    protects: 'No request is closed that the service may still carry out.',
    file: 'src/ledger/close.ts',
    find: 'if (facts.isOver !== true)',
    replace: 'if (facts.isOver === null)',
  },
  {
    name: 'a request that a run resolves is closed',
    protects: 'No request is closed of which a run can find out what happened.',
    file: 'src/ledger/close.ts',
    find: 'if (isForPerson || facts.alias === null) return null;',
    replace: 'if (isForPerson || facts.alias !== undefined) return null;',
  },
  {
    name: 'a recall cannot be closed',
    protects: 'A person can close a recall, because no run can find out what happened to it.',
    file: 'src/ledger/unfinished.ts',
    find: "return open.call === 'unsend' || (",
    replace: 'return (',
  },
  {
    name: 'a closed message is waited for',
    protects: 'The next message to a chat does not wait for one that a person has closed.',
    file: 'src/operations/chat-send.ts',
    find: "open: acts.filter(({ outcome, acknowledged }) => outcome === 'unknown' && !acknowledged),",
    replace: "open: acts.filter(({ outcome }) => outcome === 'unknown'),",
  },
  {
    name: 'the reason of a close is lost',
    protects: 'The ledger has the words with which a person has closed a request.',
    file: 'src/cli/ledger/close.ts',
    find: '    context.onChange?.();\n    await ledger.acknowledge(entry, because);\n    return one;',
    replace: '    context.onChange?.();\n    await ledger.acknowledge(entry);\n    return one;',
  },
  {
    name: 'an object is known by its live name alone',
    protects: 'Herald knows an object by its id, also after a person has renamed it on the service.',
    file: 'src/plan/match.ts',
    find: 'return wantedNames.has(known.name) || isAnothers ? known.name : object.live.name;',
    replace: 'return isAnothers ? known.name : object.live.name;',
  },
  {
    name: 'the chat is not read for the same words',
    protects: 'The same words are not sent within five minutes after a person has written them in the chat.',
    file: 'src/cli/chat/send.ts',
    find: 'const similar = similarMessages(draft, messages, times.serviceMs);',
    replace: 'const similar = similarMessages(draft, messages.slice(0, 0), times.serviceMs);',
  },
];
