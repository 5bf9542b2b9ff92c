import * as z from 'zod';
import {
  limitShape,
  readLimit,
  type Limit,
  type PolicyRule,
  type WrittenLimit,
} from '../../src/policy/rule.ts';

/** A rule that Herald does not have, written as a file below `policy/rules/` is. */
export const maxExclamationMarks = {
  key: 'max_exclamation_marks',
  code: 'policy-exclamation-marks',
  shape: limitShape(z.int().min(0)),
  help: 'No message may have more "!".',
  default: null,
  appliesTo: 'a message with more `!`',
  example: 'max_exclamation_marks: 2',
  read: readLimit,
  problems: (written) =>
    readLimit(written).limit > 100
      ? [{ code: 'invalid-value', path: [], message: 'It is at most 100.' }]
      : [],
  describe: ({ limit }) => `${limit} "!"`,
  check: (resources, { limit }) =>
    resources.flatMap((resource) =>
      resource.content.messages.flatMap(({ text }, index) => {
        const count = (text ?? '').split('!').length - 1;
        const message = `messages[${index}] has ${count} "!", more than policy.max_exclamation_marks ${limit}.`;
        return count > limit ? [{ resource, path: ['messages', index, 'text'], message }] : [];
      }),
    ),
} as const satisfies PolicyRule<WrittenLimit, Limit>;
