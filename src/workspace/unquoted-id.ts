import { withCode } from '../domain/coded-message.ts';

/** The message for an id that is not text. */
export const UNQUOTED_ID = {
  error: withCode('unquoted-id', 'Put the id in quotes: `id: "101"`. Without them, long ids lose digits.'),
};
