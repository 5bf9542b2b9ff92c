import type { z } from 'zod';

/**
 * A reply field that drives no decision: missing, null or of a wrong type reads as null ("unknown"),
 * because one odd field must not hide a whole list.
 */
export const maybe = <Shape extends z.ZodType>(shape: Shape) => shape.nullish().catch(null);
