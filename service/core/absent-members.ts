/** The contract's convention: a member that is optional may be null or absent. */
import { z } from '@hono/zod-openapi';
import { isJsonObject } from './json-shape.ts';

type Shape = Readonly<Record<string, z.ZodType>>;

/** Returns the schemas of a value that are no combination of others. */
const innerOf = (schema: unknown): unknown[] => {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault)
    return innerOf(schema.unwrap());
  if (schema instanceof z.ZodPipe) return innerOf(schema.in);
  return schema instanceof z.ZodUnion ? schema.options.flatMap(innerOf) : [schema];
};

const withoutNullsOfAny = (schemas: readonly unknown[], value: unknown): unknown =>
  schemas.reduce<unknown>((inner, schema) => withoutNulls(schema, inner), value);

const accepts = (schemas: z.ZodType[], value: unknown): boolean =>
  schemas.some((schema) => schema.safeParse(value).success);

/** Returns the value without the members that are null, where the schema has an optional member that is never null. */
export const withoutNulls = (schema: unknown, value: unknown): unknown => {
  const schemas = innerOf(schema);
  if (Array.isArray(value)) {
    const items = schemas.flatMap((each) => (each instanceof z.ZodArray ? [each.element] : []));
    return value.map((item) => withoutNullsOfAny(items, item));
  }
  if (!isJsonObject(value)) return value;
  const shapes = schemas.flatMap((each) => (each instanceof z.ZodObject ? [each.shape as Shape] : []));
  const members = Object.entries(value).flatMap(([name, member]): [string, unknown][] => {
    const own = shapes.flatMap((shape) => (Object.hasOwn(shape, name) ? [shape[name]!] : []));
    if (member === null) return accepts(own, undefined) && !accepts(own, null) ? [] : [[name, null]];
    return [[name, withoutNullsOfAny(own, member)]];
  });
  return Object.fromEntries(members);
};
