import * as z from 'zod';
import { withCode } from '../domain/coded-message.ts';
import { declaredFilterShape, fanListShape } from '../domain/audience.ts';
import { attachmentShape, messageShape } from '../domain/message.ts';
import { TEXT_LENGTH_MAX } from './text.ts';

/**
 * Shapes for the content of a resource. If a message of a shape begins with `word: `, the finding gets that code.
 * Bounds that need the source text (prices) are rules, not shapes.
 */

/** An id as written: quoted digits, or a variable. */
const writtenIdShape = z
  .string({
    error: withCode('unquoted-id', 'Put the id in quotes: `id: "101"`. Without them, long ids lose digits.'),
  })
  .regex(
    /^(?:0|[1-9]\d{0,18}|.*\{\{.*)$/,
    withCode('invalid-id', 'Write up to 19 digits without leading zeros, or a {{variable}}.'),
  );

const writtenListShape = fanListShape.extend({
  name: fanListShape.shape.name.describe('Name of the fan list; the service never returns it.'),
  id: writtenIdShape.optional().describe('Id of the list, so that drift is visible.'),
});

const optionsShape = declaredFilterShape.shape.options.unwrap();

const writtenFilterShape = declaredFilterShape.extend({
  kind: declaredFilterShape.shape.kind.describe('Such as subscribed_date or purchased_from_organisation.'),
  options: optionsShape
    .extend({
      from_days: optionsShape.shape.from_days.describe('Days ago. Not with from_at or to_at.'),
      to_days: optionsShape.shape.to_days.describe('Days ago. Not with from_at or to_at.'),
      lists: z
        .array(writtenListShape)
        .min(1, withCode('empty-list', 'Add at least one fan list, or remove `lists`.'))
        .optional(),
    })
    .optional(),
});

/** `audience: everyone` or filters. A rule checks that exactly one is set. */
export const audienceKeys = {
  audience: z.literal('everyone').optional().describe('Sends to every fan. Otherwise set audience_filters.'),
  audience_filters: z
    .array(writtenFilterShape)
    .optional()
    .describe('At least one filter. For every fan, write `audience: everyone`.'),
};

/** The service does not say what the id of media looks like (CONTENT-8). */
const writtenMediaIdShape = z
  .string({
    error: withCode('unquoted-id', 'Put the id in quotes: `id: "101"`. Without them, long ids lose digits.'),
  })
  .regex(
    /^(?:\S+|.*\{\{.*)$/,
    withCode('invalid-id', 'Write the id of the media, without spaces, or a {{variable}}.'),
  );

/** Facts that Herald sends to the vault with the media of a file (VAULT-5, VAULT-10). Rules check that it is about a file. */
const writtenWishesShape = z.object({
  name: z.string().min(1).optional().describe('Name in the vault. Without it, the name of the file.'),
  content_type: z.string().min(1).optional().describe('Such as image/jpeg. Without it, told from the file.'),
  duration: z.number().min(0).optional().describe('Seconds of a video or sound.'),
  fan: z.string().min(1).optional().describe('Link of the fan that the media is for.'),
  export_fan_id: writtenIdShape.optional().describe('Id of the fan that the media is for. Or set fan.'),
  rf_guest: z.array(writtenIdShape).optional().describe('Ids of guests in the media.'),
  rf_partner: z.array(writtenIdShape).optional().describe('Ids of partners in the media.'),
  rf_tag: z.array(writtenIdShape).optional().describe('Ids of tags of the media.'),
});

/** Media by id and type, or by file. A rule checks that exactly one is set. */
const writtenAttachmentShape = attachmentShape.extend({
  id: writtenMediaIdShape.optional().describe('Id of media in the vault. Or set file.'),
  type: attachmentShape.shape.type.optional().describe('Type of the media with this id. Not with file.'),
  file: z
    .string()
    .min(1)
    .optional()
    .describe('Picture, video or sound, relative to this file. Uploaded once per account.'),
  ...writtenWishesShape.shape,
});

export const writtenMessageShape = messageShape.extend({
  text: z
    .string()
    .max(TEXT_LENGTH_MAX)
    .nullable()
    .optional()
    .describe('{{variable}} inserts a variable of the account; \\{{ is a literal {{.'),
  text_file: z
    .string()
    .min(1)
    .optional()
    .describe('File with the text, relative to this file. Not with text.'),
  price_gross: z
    .number()
    .min(0, withCode('invalid-price', 'Write a price of 0 (free) or more.'))
    .optional()
    .describe('US dollars with up to two decimals.'),
  delay_sec: messageShape.shape.delay_sec.describe('Seconds to wait before this message.'),
  attachments: z.array(writtenAttachmentShape).optional(),
  tagged_platform_account_ids: z.array(writtenIdShape).optional(),
});

export type WrittenAttachment = z.infer<typeof writtenAttachmentShape>;
export type WrittenMessage = z.infer<typeof writtenMessageShape>;
export type WrittenFilter = z.infer<typeof writtenFilterShape>;
