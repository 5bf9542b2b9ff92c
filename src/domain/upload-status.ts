import type { WithStatus } from './status.ts';

/** The documented statuses of an upload, from the first to the last (VAULT-12). */
const UPLOAD_STATUSES = [
  'uploaded',
  'processing',
  'processed',
  'exporting',
  'exported',
  'failed',
  'unprocessable',
] as const;
type NamedUploadStatus = (typeof UPLOAD_STATUSES)[number];

/** `none` and `unnamed`: a record without a status, or with an unknown one. */
export type UploadStatus = NamedUploadStatus | 'none' | 'unnamed';

interface UploadTraits {
  /** Only during an export. */
  readonly isExport: boolean;
  /** The result of the upload. Null while it continues, or if it is unknown. */
  readonly end: 'exported' | 'failed' | 'unprocessable' | null;
  /** It continues by itself, so there is nothing to retry. */
  readonly moves: boolean;
}

/** The traits of each status. */
export const UPLOAD_TRAITS: Readonly<Record<UploadStatus, UploadTraits>> = {
  uploaded: { isExport: false, end: null, moves: false },
  processing: { isExport: true, end: null, moves: true },
  processed: { isExport: true, end: null, moves: false },
  exporting: { isExport: true, end: null, moves: true },
  exported: { isExport: true, end: 'exported', moves: false },
  failed: { isExport: true, end: 'failed', moves: false },
  unprocessable: { isExport: true, end: 'unprocessable', moves: false },
  none: { isExport: false, end: null, moves: false },
  unnamed: { isExport: false, end: null, moves: false },
};

/** Reads the status of an upload. Its record keeps the text. */
export function uploadStatusOf({ status }: WithStatus): UploadStatus {
  if (status === null || status === undefined) return 'none';
  return UPLOAD_STATUSES.find((one) => one === status) ?? 'unnamed';
}
