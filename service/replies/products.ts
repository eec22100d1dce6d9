/** The shop: products asked for by what they are, and the one a visitor chose. */
import { asc, eq, type InferSelectModel } from 'drizzle-orm';
import type { ProductsBlock } from '../../contract/wire.ts';
import type { Db } from '../db/open.ts';
import type { Language } from '../core/language.ts';
import { products } from '../db/schema.ts';
import { terms, words } from '../knowledge/terms.ts';
import type { Turn } from './reply-source.ts';
import type { KnowledgeSearch } from './from-knowledge.ts';
import type { Reply, ReplySteps } from './reply.ts';
import { sentences } from './sentences.ts';

type Product = InferSelectModel<typeof products>;

const shopping =
  /\b(buy|sell|shop|products?|show me|looking for|stock|do you have|price of|catalogue|recommend)\b|(اشتري|شراء|تبيعون|بيع|المتجر|منتج|منتجات|منتجاتكم|اعرض|ابحث عن|عندكم|متوفر|للبيع|سعر)/;
const everything = new Set(
  terms('products product shop catalogue sell buy pieces منتجات منتجاتكم المتجر تبيعون معروضات'),
);

export const productReply = async (db: Db, turn: Turn, found: KnowledgeSearch): Promise<Reply | undefined> => {
  if (!shopping.test(words(turn.question).join(' '))) return undefined;
  const asked = terms(turn.question).filter((term) => !/^\d+$/.test(term));
  const all = await stock(db, turn.agent.id);
  const scored = all
    .map((product) => ({ product, value: matches(product, asked, turn.language) }))
    .filter(({ value }) => value > 0)
    .sort((a, b) => b.value - a.value);
  const named = scored.map(({ product }) => product).slice(0, 4);
  const wholeShop = asked.length > 0 && asked.every((term) => everything.has(term));
  // A question that the knowledge answers fully is about the thing, not for it.
  const known = found.hits.find((hit) => hit.kind !== 'action')?.score ?? 0;
  if (!wholeShop && (named.length === 0 || known > 0.7)) return undefined;
  return shown(named.length > 0 && !wholeShop ? named : all, turn);
};

/** A product chosen from the block of the message before: its id ends the visitor's message. */
export async function* chosenProduct(db: Db, turn: Turn): ReplySteps {
  const id = /\bprd_[a-z0-9_]+\b/i.exec(turn.question)?.[0];
  if (id === undefined) return undefined;
  const product = (await stock(db, turn.agent.id)).find((each) => each.id === id);
  if (!product) return undefined;
  const said = sentences[turn.language];
  const { name, description } = inLanguage(product, turn.language);
  const opener = turn.actions.find((action) => action.kind === 'client_tool' && action.name === 'show_product');
  const outcome = opener && (yield { type: 'tool', action: opener, arguments: { product_id: product.id } });
  const about = said.productChosen(name, price(product, turn.language), description);
  return {
    text: outcome?.ok ? `${said.productShown(name)}\n\n${about}` : about,
    outcome: 'answered',
    sources: [],
    ...(product.url === null ? {} : { blocks: [{ type: 'links', links: [{ label: name, url: product.url }] }] }),
  };
}

const stock = (db: Db, agentId: string): Promise<Product[]> => {
  return db.select().from(products).where(eq(products.agentId, agentId)).orderBy(asc(products.position));
};

const inLanguage = (product: Product, language: Language): { name: string; description: string } => {
  return language === 'ar'
    ? { name: product.nameAr, description: product.descriptionAr }
    : { name: product.nameEn, description: product.descriptionEn };
};

const matches = (product: Product, asked: string[], language: Language): number => {
  const { name, description } = inLanguage(product, language);
  const nameTerms = new Set(terms(name));
  const otherTerms = new Set(terms(description));
  return asked.reduce(
    (sum, term) => sum + (everything.has(term) ? 0 : nameTerms.has(term) ? 2 : otherTerms.has(term) ? 1 : 0),
    0,
  );
};

const shown = (some: Product[], turn: Turn): Reply => {
  const said = sentences[turn.language];
  const stocked = { in_stock: said.inStock, out_of_stock: said.outOfStock, preorder: said.preorder };
  const lines = some.map((product) => {
    const { name } = inLanguage(product, turn.language);
    return `- **${name}**: ${price(product, turn.language)} (${stocked[product.availability]})`;
  });
  const block: ProductsBlock = {
    type: 'products',
    items: some.map((product) => ({
      id: product.id,
      ...inLanguage(product, turn.language),
      price: product.price,
      currency: product.currency,
      availability: product.availability,
      ...(product.url === null ? {} : { url: product.url }),
    })),
  };
  return { text: `${said.products}\n\n${lines.join('\n')}`, outcome: 'answered', sources: [], blocks: [block] };
};

const price = ({ price: amount, currency }: Product, language: Language): string => {
  return new Intl.NumberFormat(language === 'ar' ? 'ar-OM-u-nu-latn' : 'en-OM', {
    style: 'currency',
    currency,
    minimumFractionDigits: Number.isInteger(amount) ? 0 : 3,
  }).format(amount);
};
