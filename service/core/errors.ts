/** Every refusal the API can make: code, status, and the sentence for people in both languages. */
import type { ErrorBody, ErrorDetail } from '../../contract/wire.ts';
import type { Language } from '../db/schema.ts';
import type { Scope } from './scopes.ts';

export const errors = {
  missing_key: {
    status: 401,
    en: 'Send your API key in the Authorization header, as a bearer token.',
    ar: 'أرسل مفتاح الواجهة في ترويسة Authorization بصيغة Bearer.',
  },
  invalid_key: {
    status: 401,
    en: 'This API key is unknown or has been revoked.',
    ar: 'مفتاح الواجهة هذا غير معروف أو أُلغي.',
  },
  expired_key: {
    status: 401,
    en: 'This API key has expired.',
    ar: 'انتهت صلاحية مفتاح الواجهة هذا.',
  },
  key_maker_left: {
    status: 401,
    en: 'The teammate who made this API key is no longer part of the workspace.',
    ar: 'العضو الذي أنشأ مفتاح الواجهة هذا لم يعد ضمن مساحة العمل.',
  },
  identity_rejected: {
    status: 401,
    en: 'This proof of who the visitor is does not hold.',
    ar: 'إثبات هوية الزائر هذا غير صحيح.',
  },
  action_plan_required: {
    status: 402,
    code: 'plan_required',
    en: 'The plan of this workspace does not hold this action.',
    ar: 'باقة مساحة العمل هذه لا تتسع لهذا الإجراء.',
  },
  insufficient_scope: {
    status: 403,
    en: 'This API key does not have the scope this call needs.',
    ar: 'لا يملك مفتاح الواجهة هذا الصلاحية التي يحتاجها هذا الطلب.',
  },
  plan_required: {
    status: 403,
    en: 'The plan of this workspace does not include the API.',
    ar: 'باقة مساحة العمل هذه لا تشمل الواجهة البرمجية.',
  },
  maker_role_limit: {
    status: 403,
    en: 'The role of the teammate who made this API key no longer allows this call.',
    ar: 'دور العضو الذي أنشأ مفتاح الواجهة هذا لم يعد يسمح بهذا الطلب.',
  },
  secret_key_required: {
    status: 403,
    en: 'A publishable key can only chat. This call needs a secret key, from your server.',
    ar: 'المفتاح القابل للنشر مخصّص للمحادثة فقط. هذا الطلب يحتاج مفتاحًا سريًا من خادمك.',
  },
  not_found: {
    status: 404,
    en: 'There is nothing here by that name in this workspace.',
    ar: 'لا يوجد شيء بهذا المعرّف في مساحة العمل هذه.',
  },
  conversation_not_found: {
    status: 404,
    en: 'This conversation cannot be continued: send its conversation_token along with its id.',
    ar: 'لا يمكن متابعة هذه المحادثة: أرسل conversation_token مع معرّفها.',
  },
  unknown_call: {
    status: 404,
    en: 'This conversation never asked for that tool call.',
    ar: 'لم تطلب هذه المحادثة استدعاء الأداة هذا قط.',
  },
  method_not_allowed: {
    status: 405,
    en: 'This address does not take that method.',
    ar: 'هذا العنوان لا يقبل هذه الطريقة.',
  },
  conflict: {
    status: 409,
    en: 'This cannot be done as things are now. See details.',
    ar: 'لا يمكن تنفيذ هذا في الوضع الحالي. راجع التفاصيل.',
  },
  too_many_endpoints: {
    status: 409,
    en: 'This workspace has as many webhook endpoints as it can have. Delete one first.',
    ar: 'بلغت مساحة العمل الحد الأقصى من عناوين الإشعارات. احذف واحدًا أولًا.',
  },
  agent_unavailable: {
    status: 409,
    en: 'The assistant is paused at the moment.',
    ar: 'المساعد متوقف مؤقتًا.',
  },
  identity_mismatch: {
    status: 409,
    en: 'This conversation belongs to another contact. Start a new one.',
    ar: 'هذه المحادثة تخص جهة اتصال أخرى. ابدأ محادثة جديدة.',
  },
  name_taken: {
    status: 409,
    en: 'Another action of this agent has that name.',
    ar: 'يحمل إجراء آخر لهذا المساعد الاسم نفسه.',
  },
  idempotency_in_progress: {
    status: 409,
    en: 'The first request with this Idempotency-Key is still running.',
    ar: 'الطلب الأول بمفتاح Idempotency-Key هذا ما زال قيد التنفيذ.',
  },
  call_closed: {
    status: 409,
    en: 'This tool call was already answered, or its time ran out.',
    ar: 'تمت الإجابة عن استدعاء الأداة هذا من قبل أو انتهى وقته.',
  },
  conversation_expired: {
    status: 410,
    en: 'This conversation is over. Start a new one.',
    ar: 'انتهت هذه المحادثة. ابدأ محادثة جديدة.',
  },
  body_too_large: {
    status: 413,
    en: 'The request body is larger than this address accepts.',
    ar: 'محتوى الطلب أكبر مما يقبله هذا العنوان.',
  },
  plan_text_limit: {
    status: 413,
    en: 'The plan of this agent cannot hold more text.',
    ar: 'باقة هذا المساعد لا تتسع لمزيد من النصوص.',
  },
  validation_error: {
    status: 422,
    en: 'Some of what was sent is not valid. See details.',
    ar: 'بعض ما أُرسل غير صالح. راجع التفاصيل.',
  },
  idempotency_key_reused: {
    status: 422,
    en: 'This Idempotency-Key was already used with another body.',
    ar: 'استُخدم مفتاح Idempotency-Key هذا من قبل مع محتوى مختلف.',
  },
  rate_limited: {
    status: 429,
    en: 'Too many calls this minute. Wait a little and try again.',
    ar: 'طلبات كثيرة في هذه الدقيقة. انتظر قليلًا ثم أعد المحاولة.',
  },
  internal_error: {
    status: 500,
    en: 'Something went wrong on our side.',
    ar: 'حدث خطأ من جهتنا.',
  },
  import_failed: {
    status: 502,
    code: 'internal_error',
    en: 'The import failed on our side. Nothing was stored; try again.',
    ar: 'فشل الاستيراد من جهتنا ولم يُحفظ شيء. أعد المحاولة.',
  },
  identity_unavailable: {
    status: 503,
    en: 'The identity secret cannot be read at the moment. Try again in a little while.',
    ar: 'تعذرت قراءة سر الهوية الآن. أعد المحاولة بعد قليل.',
  },
} as const satisfies Record<string, Refusal>;

interface Refusal {
  status: number;
  /** What travels, where two refusals share a code. */
  code?: string;
  en: string;
  ar: string;
}

export type ErrorCode = keyof typeof errors;

/** What may stand beside the code and the sentence. */
export interface ErrorExtra {
  details?: ErrorDetail[] | string;
  required_scope?: Scope;
  required_plan?: string;
  limit_chars?: number;
  used_chars?: number;
  /** Seconds until the call may be made again; travels as a header. */
  retryAfter?: number;
}

export class ApiError extends Error {
  readonly code: ErrorCode;
  readonly extra: ErrorExtra;

  constructor(code: ErrorCode, extra: ErrorExtra = {}) {
    super(code);
    this.name = 'ApiError';
    this.code = code;
    this.extra = extra;
  }

  get status() {
    return errors[this.code].status;
  }
}

export const errorBody = (
  code: ErrorCode,
  language: Language,
  requestId: string,
  extra: ErrorExtra = {},
): ErrorBody => {
  const { retryAfter: _, ...told } = extra;
  const refusal: Refusal = errors[code];
  return {
    error: { code: refusal.code ?? code, message: refusal[language], request_id: requestId, ...told },
  };
};

/** A 422 about one field. */
export const invalid = (field: string, code: string, message: string): ApiError => {
  return new ApiError('validation_error', { details: [{ field, code, message }] });
};
