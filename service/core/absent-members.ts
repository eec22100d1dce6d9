/** The contract's convention: a member that is optional may be null or absent. */
import { z } from '@hono/zod-openapi';
import { isJsonObject } from './json-shape.ts';

/** The members of the objects that a schema accepts. */
const shapesOf = (schema: unknown): Record<string, z.ZodType>[] => {
  if (schema instanceof z.ZodObject) return [schema.shape];
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) return shapesOf(schema.unwrap());
  if (schema instanceof z.ZodPipe) return shapesOf(schema.in);
  return schema instanceof z.ZodUnion ? schema.options.flatMap(shapesOf) : [];
};

const accepts = (schemas: z.ZodType[], value: unknown): boolean =>
  schemas.some((schema) => schema.safeParse(value).success);

/** Returns the value without the members that are null, where the schema has an optional member that is never null. */
export const withoutNulls = (schema: unknown, value: unknown): unknown => {
  if (!isJsonObject(value)) return value;
  const shapes = shapesOf(schema);
  const members = Object.entries(value).flatMap(([name, member]): [string, unknown][] => {
    const schemas = shapes.flatMap((shape) => (Object.hasOwn(shape, name) ? [shape[name]!] : []));
    if (member === null) return accepts(schemas, undefined) && !accepts(schemas, null) ? [] : [[name, null]];
    return [[name, schemas.reduce<unknown>((inner, each) => withoutNulls(each, inner), member)]];
  });
  return Object.fromEntries(members);
};
