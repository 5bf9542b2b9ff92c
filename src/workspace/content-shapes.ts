import * as z from 'zod';
import { withCode } from '../domain/coded-message.ts';
import { declaredFilterShape, fanListShape } from '../domain/audience.ts';
import { attachmentShape, messageShape } from '../domain/message.ts';
import { TEXT_LENGTH_MAX } from './text.ts';

/*
 * What people write inside a resource. A message of a shape that begins with `word: ` gives its
 * finding that code. Bounds that the source text decides (prices) are rules, not shapes.
 */

/** An id as written: quoted digits, or a variable that stands for them. */
const writtenIdShape = z
  .string({ error: withCode('unquoted-id', 'An id is text: put it in quotes, or digits get lost.') })
  .regex(
    /^(?:0|[1-9]\d{0,18}|.*\{\{.*)$/,
    withCode('invalid-id', 'An id is at most 19 digits without leading zeros, or a {{variable}}.'),
  );

const writtenListShape = fanListShape.extend({
  name: fanListShape.shape.name.describe('The fan list’s name; the service never shows it again.'),
  id: writtenIdShape.optional().describe('Pins the list, so that drift can be seen.'),
});

const optionsShape = declaredFilterShape.shape.options.unwrap();

const writtenFilterShape = declaredFilterShape.extend({
  kind: declaredFilterShape.shape.kind.describe(
    'For instance subscribed_date or purchased_from_organisation.',
  ),
  options: optionsShape
    .extend({
      from_days: optionsShape.shape.from_days.describe('Days ago; not together with from_at or to_at.'),
      to_days: optionsShape.shape.to_days.describe('Days ago; not together with from_at or to_at.'),
      lists: z
        .array(writtenListShape)
        .min(1, withCode('empty-list', 'Name at least one fan list, or remove `lists`.'))
        .optional(),
    })
    .optional(),
});

/** `audience: everyone` or filters; that exactly one of them is said is a rule. */
export const audienceKeys = {
  audience: z
    .literal('everyone')
    .optional()
    .describe('Says aloud that every fan is meant; otherwise give audience_filters.'),
  audience_filters: z
    .array(writtenFilterShape)
    .optional()
    .describe('Whom it reaches: at least one filter. For every fan write `audience: everyone`.'),
};

/** By its id and type, or by its file; that exactly one of them is said is a rule. */
const writtenAttachmentShape = attachmentShape.extend({
  id: writtenIdShape.optional().describe('Media in the vault; or name its file.'),
  type: attachmentShape.shape.type.optional().describe('Of the media with this id; a file says it itself.'),
  file: z
    .string()
    .min(1)
    .optional()
    .describe('A picture, video or sound, relative to this file; uploaded once for each account.'),
});

export const writtenMessageShape = messageShape.extend({
  text: z
    .string()
    .max(TEXT_LENGTH_MAX)
    .nullable()
    .optional()
    .describe('{{variable}} takes the account’s variables; \\{{ is a literal {{.'),
  text_file: z
    .string()
    .min(1)
    .optional()
    .describe('A file that holds the text, relative to this file. Instead of text.'),
  price_gross: z
    .number()
    .min(0, withCode('invalid-price', 'A price is 0 (free) or more.'))
    .optional()
    .describe('Dollars, at most two decimals.'),
  delay_sec: messageShape.shape.delay_sec.describe('Seconds to wait before this message.'),
  attachments: z.array(writtenAttachmentShape).optional(),
  tagged_platform_account_ids: z.array(writtenIdShape).optional(),
});

export type WrittenAttachment = z.infer<typeof writtenAttachmentShape>;
export type WrittenMessage = z.infer<typeof writtenMessageShape>;
export type WrittenFilter = z.infer<typeof writtenFilterShape>;
