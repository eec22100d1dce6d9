/** Replies about the shop: products that match a question, and the product that a visitor chose. */
import { asc, eq, type InferSelectModel } from 'drizzle-orm';
import type { ProductsBlock } from '../../contract/wire.ts';
import type { Db } from '../db/database.ts';
import type { Language } from '../core/language.ts';
import { products } from '../db/schema.ts';
import { terms, words } from '../knowledge/terms.ts';
import type { KnowledgeSearch } from './from-knowledge.ts';
import type { Reply, ReplySteps, Turn } from './reply-source.ts';
import { sentences } from './sentences.ts';

type Product = InferSelectModel<typeof products>;

const shopping =
  /\b(buy|sell|shop|products?|show me|looking for|stock|do you have|price of|catalogue|recommend)\b|(اشتري|شراء|تبيعون|بيع|المتجر|منتج|منتجات|منتجاتكم|اعرض|ابحث عن|عندكم|متوفر|للبيع|سعر)/;
const everything = new Set(terms('products product shop catalogue sell buy منتجات منتجاتكم المتجر تبيعون معروضات'));

const termsOf = (question: string): string[] => terms(question).filter((term) => !/^\d+$/.test(term));

/** Whether the question is about the whole shop, whatever was spoken about before: "Show me your products" */
export const asksForShop = (question: string): boolean => {
  const questionTerms = termsOf(question);
  return (
    shopping.test(words(question).join(' ')) &&
    questionTerms.length > 0 &&
    questionTerms.every((term) => everything.has(term))
  );
};

export const productReply = async (db: Db, turn: Turn, found: KnowledgeSearch): Promise<Reply | undefined> => {
  if (!shopping.test(words(turn.question).join(' '))) return undefined;
  const questionTerms = termsOf(turn.question);
  const all = await productsOf(db, turn.agent.id);
  const scored = all
    .map((product) => ({ product, value: matchScore(product, questionTerms, turn.language) }))
    .filter(({ value }) => value > 0)
    .sort((a, b) => b.value - a.value);
  const matching = scored.map(({ product }) => product).slice(0, 4);
  const isWholeShop = asksForShop(turn.question);
  // When the knowledge covers the question well, the visitor wants information, not a product.
  const passageScore = found.hits.find((hit) => hit.kind !== 'action')?.score ?? 0;
  if (!isWholeShop && (matching.length === 0 || passageScore > 0.7)) return undefined;
  if (!isWholeShop && isAboutOther(matching[0]!, found, turn.language)) return undefined;
  return listProducts(matching.length > 0 && !isWholeShop ? matching : all, turn);
};

/** The share of the question's weight that the words of a product have, unless it is about another subject. */
const minShare = 0.4;

/** Whether the question is mostly about something else: "How many calories has a plate of rice?" */
const isAboutOther = (product: Product, { weights }: KnowledgeSearch, language: Language): boolean => {
  let all = 0;
  let matching = 0;
  for (const [term, weight] of weights) {
    all += weight;
    if (everything.has(term) || matchScore(product, [term], language) > 0) matching += weight;
  }
  return matching < all * minShare;
};

/** Replies to a product chosen from the block of the previous message. The visitor's message ends with its id. */
export async function* chosenProduct(db: Db, turn: Turn): ReplySteps<Reply | undefined> {
  const id = /\bprd_[a-z0-9_]+\b/i.exec(turn.question)?.[0];
  if (id === undefined) return undefined;
  const product = (await productsOf(db, turn.agent.id)).find((each) => each.id === id);
  if (!product) return undefined;
  const sentence = sentences[turn.language];
  const { name, description } = inLanguage(product, turn.language);
  const showAction = turn.actions.find((action) => action.kind === 'client_tool' && action.name === 'show_product');
  const outcome = showAction && (yield { type: 'tool', action: showAction, arguments: { product_id: product.id } });
  const text = sentence.productChosen(name, price(product, turn.language), description);
  return {
    text: outcome?.ok ? `${sentence.productShown(name)}\n\n${text}` : text,
    outcome: 'answered',
    sources: [],
    ...(product.url === null ? {} : { blocks: [{ type: 'links', links: [{ label: name, url: product.url }] }] }),
  };
}

const productsOf = (db: Db, agentId: string): Promise<Product[]> => {
  return db.select().from(products).where(eq(products.agentId, agentId)).orderBy(asc(products.position));
};

const inLanguage = (product: Product, language: Language): { name: string; description: string } => {
  return language === 'ar'
    ? { name: product.nameAr, description: product.descriptionAr }
    : { name: product.nameEn, description: product.descriptionEn };
};

const matchScore = (product: Product, questionTerms: string[], language: Language): number => {
  const { name, description } = inLanguage(product, language);
  const nameTerms = new Set(terms(name));
  const otherTerms = new Set(terms(description));
  return questionTerms.reduce(
    (sum, term) => sum + (everything.has(term) ? 0 : nameTerms.has(term) ? 2 : otherTerms.has(term) ? 1 : 0),
    0,
  );
};

const listProducts = (some: Product[], turn: Turn): Reply => {
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
  return { text: sentences[turn.language].products, outcome: 'answered', sources: [], blocks: [block] };
};

const price = ({ price: amount, currency }: Product, language: Language): string => {
  return new Intl.NumberFormat(language === 'ar' ? 'ar-OM-u-nu-latn' : 'en-OM', {
    style: 'currency',
    currency,
    minimumFractionDigits: Number.isInteger(amount) ? 0 : 3,
  }).format(amount);
};
