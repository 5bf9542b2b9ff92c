import * as z from 'zod/mini';
import { withCode } from '../domain/coded-message.ts';
import { declaredFilterShape, declaredOptionsShape, fanListShape } from '../domain/audience.ts';
import { filledShape } from '../domain/value-shapes.ts';
import { withHelp } from '../domain/with-help.ts';
import { attachmentShape, messageShape } from '../domain/message.ts';
import { TEXT_LENGTH_MAX } from './text.ts';
import { UNQUOTED_ID } from './unquoted-id.ts';

/**
 * Shapes for the content of a resource. If a message of a shape begins with `word: `, the finding gets that code.
 * Bounds that need the source text (prices) are rules, not shapes.
 */

/** An id as written: quoted digits, or a variable. */
const writtenIdShape = z
  .string(UNQUOTED_ID)
  .check(
    z.regex(
      /^(?:0|[1-9]\d{0,18}|.*\{\{.*)$/,
      withCode('invalid-id', 'Write up to 19 digits without leading zeros, or a {{variable}}.'),
    ),
  );

const writtenIdsShape = z.array(writtenIdShape);

const writtenListShape = z.extend(fanListShape, {
  name: withHelp('Name of the fan list; the service never returns it.', z.clone(fanListShape.shape.name)),
  id: withHelp('Id of the list, so that drift is visible.', z.optional(writtenIdShape)),
});

const { from_days: fromDaysShape, to_days: toDaysShape } = declaredOptionsShape.shape;

const writtenFilterShape = z.extend(declaredFilterShape, {
  kind: withHelp(
    'Such as subscribed_date or purchased_from_organisation.',
    z.clone(declaredFilterShape.shape.kind),
  ),
  options: z.optional(
    z.extend(declaredOptionsShape, {
      from_days: withHelp('Days ago. Not with from_at or to_at.', z.clone(fromDaysShape)),
      to_days: withHelp('Days ago. Not with from_at or to_at.', z.clone(toDaysShape)),
      lists: z.optional(
        z
          .array(writtenListShape)
          .check(z.minLength(1, withCode('empty-list', 'Add at least one fan list, or remove `lists`.'))),
      ),
    }),
  ),
});

/** `audience: everyone` or filters. A rule checks that exactly one is set. */
export const audienceKeys = {
  audience: withHelp(
    'Sends to every fan. Otherwise set audience_filters.',
    z.optional(z.literal('everyone')),
  ),
  audience_filters: withHelp(
    'At least one filter. For every fan, write `audience: everyone`.',
    z.optional(z.array(writtenFilterShape)),
  ),
};

/** The service does not say what the id of media looks like (CONTENT-8). */
const writtenMediaIdShape = z
  .string(UNQUOTED_ID)
  .check(
    z.regex(
      /^(?:\S+|.*\{\{.*)$/,
      withCode('invalid-id', 'Write the id of the media, without spaces, or a {{variable}}.'),
    ),
  );

/** Facts that Herald sends to the vault with the media of a file (VAULT-5, VAULT-10). Rules check that it is about a file. */
const wishKeys = {
  name: withHelp('Name in the vault. Without it, the name of the file.', z.optional(filledShape)),
  content_type: withHelp('Such as image/jpeg. Without it, told from the file.', z.optional(filledShape)),
  duration: withHelp('Seconds of a video or sound.', z.optional(z.number().check(z.minimum(0)))),
  fan: withHelp('Link of the fan that the media is for.', z.optional(filledShape)),
  export_fan_id: withHelp('Id of the fan that the media is for. Or set fan.', z.optional(writtenIdShape)),
  rf_guest: withHelp('Ids of guests in the media.', z.optional(writtenIdsShape)),
  rf_partner: withHelp('Ids of partners in the media.', z.optional(writtenIdsShape)),
  rf_tag: withHelp('Ids of tags of the media.', z.optional(writtenIdsShape)),
};

/** Media by id and type, or by file. A rule checks that exactly one is set. */
const writtenAttachmentShape = z.extend(attachmentShape, {
  id: withHelp('Id of media in the vault. Or set file.', z.optional(writtenMediaIdShape)),
  type: withHelp('Type of the media with this id. Not with file.', z.optional(attachmentShape.shape.type)),
  file: withHelp(
    'Picture, video or sound, relative to this file. Uploaded once per account.',
    z.optional(filledShape),
  ),
  ...wishKeys,
});

export const writtenMessageShape = z.extend(messageShape, {
  text: withHelp(
    '{{variable}} inserts a variable of the account; \\{{ is a literal {{.',
    z.nullish(z.string().check(z.maxLength(TEXT_LENGTH_MAX))),
  ),
  text_file: withHelp('File with the text, relative to this file. Not with text.', z.optional(filledShape)),
  price_gross: withHelp(
    'US dollars with up to two decimals.',
    z.optional(
      z.number().check(z.minimum(0, withCode('invalid-price', 'Write a price of 0 (free) or more.'))),
    ),
  ),
  delay_sec: withHelp('Seconds to wait before this message.', z.clone(messageShape.shape.delay_sec)),
  attachments: z.optional(z.array(writtenAttachmentShape)),
  tagged_platform_account_ids: z.optional(writtenIdsShape),
});

export type WrittenAttachment = z.infer<typeof writtenAttachmentShape>;
export type WrittenMessage = z.infer<typeof writtenMessageShape>;
export type WrittenFilter = z.infer<typeof writtenFilterShape>;
