import type { Mutant } from '../mutant.ts';

const REVIEW = 'test/flows/review.test.ts';

/** Rules about what a person sees and approves, and others that one test shows better than a chaos run. */
export const SHOWN: readonly Mutant[] = [
  {
    name: 'the text of an added message is cut',
    protects: 'A reviewer sees every word that a plan adds.',
    file: 'src/render/field-text.ts',
    find: "return [span(shown`+ `, 'good'), span(line.text, 'added')];",
    replace: "return [span(shown`+ `, 'good'), span(shorten(line.text, CONTEXT_COLUMNS_MAX), 'added')];",
    test: { file: REVIEW, name: 'with all that it costs and shows' },
  },
  {
    name: 'an added message is shown by its text only',
    protects: 'A reviewer sees the price, the media and the delay of an added message.',
    file: 'src/plan/compare/messages.ts',
    find: 'return messageEntries(wanted).map(([key, value]) => ({ path: `${path}.${key}`, old: null, new: value }));',
    replace: 'return [{ path: `${path}.text`, old: null, new: wanted.text }];',
    test: { file: REVIEW, name: 'with all that it costs and shows' },
  },
  {
    name: 'a typing error in a filter goes live',
    protects:
      'A word that is nearly a documented one is an error, so that it does not change who is reached.',
    file: 'src/workspace/known-words.ts',
    find: 'return [error(code, path, message)];',
    replace: 'return [warning(code, path, message)];',
    test: { file: 'test/workspace/known-words.test.ts', name: 'is an error' },
  },
  {
    name: 'a recalled text of a broadcast goes out again',
    protects: 'A recalled text is not sent again, whatever else of its name waits.',
    file: 'src/plan/broadcast/undone-stops.ts',
    find: 'if (member?.known?.recalled !== true || the.members.includes(member)) return cell(the);',
    replace: 'if (member?.known?.recalled !== true || the.members.length >= 0) return cell(the);',
    test: { file: 'test/plan/person-stops.test.ts', name: 'of a broadcast is not sent again' },
  },
  {
    name: 'a call that was refused here counts as sent',
    protects: 'A request that was never sent is closed as not sent.',
    file: 'src/requests/send-recorded.ts',
    find: 'if (error instanceof InvalidCallError || error instanceof LedgerError) await notSent(error.message);',
    replace: 'if (error instanceof LedgerError) await notSent(error.message);',
    test: { file: 'test/requests/send-recorded.test.ts', name: 'is closed as not sent' },
  },
  {
    name: 'a half-done stop is applied once a list shows it',
    protects: 'A status change of a campaign that was never confirmed is unknown, whatever a list shows.',
    file: 'src/domain/kind.ts',
    find: 'mayBeHalfDone: true',
    replace: 'mayBeHalfDone: false',
  },
  {
    name: 'a confirmed stop that does not show is applied',
    protects: 'A status that the service confirms and no list shows is unknown, not applied.',
    file: 'src/reconcile/verify.ts',
    find: 'unshown.add(same);',
    replace: '',
    test: { file: 'test/flows/confirmed-unchanged.test.ts', name: 'is unknown for an apply' },
  },
];
