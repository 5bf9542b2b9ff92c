import type { MediaWishes } from '../domain/media-wishes.ts';
import type { MediaFile } from '../domain/message.ts';
import type { WrittenAttachment } from './content-shapes.ts';
import type { Fills } from './fill.ts';
import { error, type Path } from './findings.ts';
import type { ExaminedMedia } from './media-files.ts';

const ID_LISTS = ['rf_guest', 'rf_partner', 'rf_tag'] as const;

/** The service takes links of up to this many characters (VAULT-16). */
const LINK_LENGTH_MAX = 2048;

/** The file with what one account wishes about its media. */
export function fillWishes(
  { file, printWith }: ExaminedMedia,
  attachment: WrittenAttachment,
  path: Path,
  filler: Fills,
): MediaFile {
  const wishes = wishesOf(attachment, path, filler);
  return Object.keys(wishes).length === 0 ? file : { ...file, wishes, digest: printWith(wishes) };
}

function wishesOf(
  { name, content_type: contentType, duration, fan, export_fan_id: fanId, ...rest }: WrittenAttachment,
  path: Path,
  filler: Fills,
): MediaWishes {
  const lists = ID_LISTS.flatMap((key) => {
    const ids = rest[key] ?? [];
    const filled = ids.map((id, position) => filler.fillId(id, [...path, key], position));
    return filled.length === 0 ? [] : [[key, filled] as const];
  });
  return {
    ...(name === undefined ? {} : { name }),
    ...(contentType === undefined ? {} : { content_type: contentType }),
    ...(duration === undefined ? {} : { duration }),
    ...(fan === undefined ? {} : { fan: fillLink(fan, path, filler) }),
    ...(fanId === undefined ? {} : { export_fan_id: filler.fillId(fanId, path, 'export_fan_id') }),
    ...Object.fromEntries(lists),
  };
}

/** Checks the form of the link. Only the service knows the host of the platform. */
function fillLink(written: string, path: Path, filler: Fills): string {
  const before = filler.findings.length;
  const link = filler.fill(written, path, 'fan');
  const isLink = URL.canParse(link) && /^https?:$/.test(new URL(link).protocol);
  if (filler.findings.length === before && (!isLink || link.length > LINK_LENGTH_MAX))
    filler.findings.push(
      error('invalid-link', [...path, 'fan'], `"${link}" is not a link. Write it as https://HOST/NAME.`),
    );
  return link;
}
