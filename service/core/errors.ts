/** Every error response of the API: its code, its status and a sentence in both languages. */
import { shortened } from '../../contract/characters.ts';
import type { ErrorCode } from '../../contract/error-codes.ts';
import type { ErrorBody, ErrorDetail } from '../../contract/wire.ts';
import type { Language } from './language.ts';
import type { Scope } from './scopes.ts';

interface ErrorDefinition {
  status: number;
  en: string;
  ar: string;
}

/** The codes of statuses for which the contract shows no code. The widget decides by the status. */
type HttpErrorCode =
  | 'malformed_json'
  | 'malformed_request'
  | 'request_timeout'
  | 'unsupported_media_type'
  | 'expectation_failed'
  | 'headers_too_large'
  | 'service_unavailable';

/** The codes of the team page's sessions, which the contract does not know. */
type SessionErrorCode = 'not_signed_in' | 'role_limit';

type ServiceErrorCode = ErrorCode | HttpErrorCode | SessionErrorCode;

export const errors: Record<ServiceErrorCode, ErrorDefinition> = {
  malformed_json: {
    status: 400,
    en: 'The request body is not valid JSON.',
    ar: 'محتوى الطلب ليس JSON صالحًا.',
  },
  malformed_request: {
    status: 400,
    en: 'The request is not valid HTTP.',
    ar: 'الطلب ليس بصيغة HTTP صالحة.',
  },
  request_timeout: {
    status: 408,
    en: 'The request did not arrive in time.',
    ar: 'لم يصل الطلب في الوقت المحدد.',
  },
  unsupported_media_type: {
    status: 415,
    en: 'Send the body as application/json, without a Content-Encoding.',
    ar: 'يُرجى إرسال المحتوى بصيغة application/json ومن دون Content-Encoding.',
  },
  expectation_failed: {
    status: 417,
    en: 'This server does not support the Expect header of the request.',
    ar: 'لا يدعم هذا الخادم ترويسة Expect في الطلب.',
  },
  headers_too_large: {
    status: 431,
    en: 'The headers of the request are too large.',
    ar: 'ترويسات الطلب أكبر من المسموح.',
  },
  missing_key: {
    status: 401,
    en: 'Send your API key in the Authorization header, as a bearer token.',
    ar: 'يُرجى إرسال مفتاح ⁨API⁩ في ترويسة ⁨Authorization⁩ بصيغة ⁨Bearer⁩.',
  },
  invalid_key: {
    status: 401,
    en: 'This API key is unknown or has been revoked.',
    ar: 'مفتاح ⁨API⁩ هذا غير معروف أو أُلغي.',
  },
  expired_key: {
    status: 401,
    en: 'This API key has expired.',
    ar: 'انتهت صلاحية مفتاح ⁨API⁩ هذا.',
  },
  key_maker_left: {
    status: 401,
    en: 'The teammate who made this API key is no longer part of the workspace.',
    ar: 'العضو الذي أنشأ مفتاح ⁨API⁩ هذا لم يعد ضمن مساحة العمل.',
  },
  identity_rejected: {
    status: 401,
    en: 'The proof of identity is not valid.',
    ar: 'إثبات هوية الزائر هذا غير صحيح.',
  },
  insufficient_scope: {
    status: 403,
    en: 'This API key does not have the scope that this call needs.',
    ar: 'لا يملك مفتاح ⁨API⁩ هذا الصلاحية التي يحتاجها هذا الطلب.',
  },
  plan_required: {
    status: 403,
    en: 'The plan of this workspace does not include the API.',
    ar: 'باقة مساحة العمل هذه لا تشمل الواجهة البرمجية.',
  },
  maker_role_limit: {
    status: 403,
    en: 'The role of the teammate who made this API key no longer allows this call.',
    ar: 'دور العضو الذي أنشأ مفتاح ⁨API⁩ هذا لم يعد يسمح بهذا الطلب.',
  },
  not_signed_in: {
    status: 401,
    en: 'Sign in to the team page first.',
    ar: 'يُرجى تسجيل الدخول إلى صفحة الفريق أولًا.',
  },
  role_limit: {
    status: 403,
    en: 'Your role in the team does not allow this.',
    ar: 'لا يسمح دورك في الفريق بهذا.',
  },
  secret_key_required: {
    status: 403,
    en: 'A publishable key can only chat. This call needs a secret key, from your server.',
    ar: 'المفتاح العام ⁨(publishable)⁩ مخصّص للمحادثة فقط. هذا الطلب يحتاج مفتاحًا سريًا من خادمك.',
  },
  not_found: {
    status: 404,
    en: 'This workspace has no such resource.',
    ar: 'لا يوجد شيء بهذا المعرّف في مساحة العمل هذه.',
  },
  conversation_not_found: {
    status: 404,
    en: 'This conversation cannot be continued. Send its conversation_token together with its id.',
    ar: 'لا يمكن متابعة هذه المحادثة: يُرجى إرسال conversation_token مع معرّفها.',
  },
  unknown_call: {
    status: 404,
    en: 'This conversation has no such tool call.',
    ar: 'لا يوجد في هذه المحادثة استدعاء أداة بهذا المعرّف.',
  },
  method_not_allowed: {
    status: 405,
    en: 'This URL does not support that method.',
    ar: 'هذا المسار لا يقبل طريقة ⁨HTTP⁩ هذه.',
  },
  conflict: {
    status: 409,
    en: 'The request conflicts with the current state. See details.',
    ar: 'لا يمكن تنفيذ هذا في الوضع الحالي. يُرجى الاطلاع على التفاصيل.',
  },
  too_many_endpoints: {
    status: 409,
    en: 'This workspace already has the maximum number of webhook endpoints. Delete one first.',
    ar: 'بلغت مساحة العمل الحد الأقصى من عناوين الإشعارات. يُرجى حذف أحدها أولًا.',
  },
  agent_unavailable: {
    status: 409,
    en: 'The assistant is paused.',
    ar: 'المساعد متوقف مؤقتًا.',
  },
  identity_mismatch: {
    status: 409,
    en: 'This conversation belongs to another contact. Start a new one.',
    ar: 'هذه المحادثة تخص جهة اتصال أخرى. يُرجى بدء محادثة جديدة.',
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
    en: 'This tool call already has a result, or it timed out.',
    ar: 'سبق الرد على استدعاء الأداة هذا أو انتهت مهلته.',
  },
  conversation_expired: {
    status: 410,
    en: 'This conversation has ended. Start a new one.',
    ar: 'انتهت هذه المحادثة. يُرجى بدء محادثة جديدة.',
  },
  body_too_large: {
    status: 413,
    en: 'The request body is larger than this URL accepts.',
    ar: 'محتوى الطلب أكبر مما يقبله هذا العنوان.',
  },
  plan_text_limit: {
    status: 413,
    en: 'The plan does not allow more text for this agent.',
    ar: 'باقة هذا المساعد لا تتسع لمزيد من النصوص.',
  },
  validation_error: {
    status: 422,
    en: 'Some fields are not valid. See details.',
    ar: 'بعض القيم المُرسلة غير صالحة. يُرجى الاطلاع على التفاصيل.',
  },
  idempotency_key_reused: {
    status: 422,
    en: 'This Idempotency-Key was already used with another body.',
    ar: 'استُخدم مفتاح Idempotency-Key هذا من قبل مع محتوى مختلف.',
  },
  rate_limited: {
    status: 429,
    en: 'Too many calls in this minute. Wait and try again.',
    ar: 'طلبات كثيرة في هذه الدقيقة. يُرجى الانتظار قليلًا ثم إعادة المحاولة.',
  },
  internal_error: {
    status: 500,
    en: 'Something went wrong on our side.',
    ar: 'حدث خطأ من جانبنا.',
  },
  identity_unavailable: {
    status: 503,
    en: 'The identity secret cannot be read at the moment. Try again later.',
    ar: 'تعذرت قراءة سر الهوية الآن. يُرجى إعادة المحاولة بعد قليل.',
  },
  service_unavailable: {
    status: 503,
    en: 'The service is not available at the moment. Try again soon.',
    ar: 'الخدمة غير متاحة الآن. يُرجى إعادة المحاولة بعد قليل.',
  },
};

/** Errors that share their code with another error, but have their own status and sentence. */
export const errorVariants = {
  action_plan_required: {
    code: 'plan_required',
    status: 402,
    en: 'The plan of this workspace does not include this action.',
    ar: 'باقة مساحة العمل هذه لا تتسع لهذا الإجراء.',
  },
  import_failed: {
    code: 'internal_error',
    status: 502,
    en: 'The import failed on our side. Nothing was stored. Try again.',
    ar: 'فشل الاستيراد من جانبنا ولم يُحفظ شيء. يُرجى إعادة المحاولة.',
  },
} as const satisfies Record<string, ErrorDefinition & { code: ErrorCode }>;

export type ErrorName = ServiceErrorCode | keyof typeof errorVariants;

const isVariant = (name: ErrorName): name is keyof typeof errorVariants => {
  return name in errorVariants;
};

const definitionOf = (name: ErrorName): ErrorDefinition & { code: ServiceErrorCode } => {
  return isVariant(name) ? errorVariants[name] : { code: name, ...errors[name] };
};

/** Optional members of an error response, beside the code and the message. */
export interface ErrorExtra {
  details?: ErrorDetail[] | string;
  required_scope?: Scope;
  required_plan?: string;
  limit_chars?: number;
  used_chars?: number;
  /** Seconds until the call may be repeated. Sent as the header `Retry-After`, not in the body. */
  retryAfter?: number;
}

export class ApiError extends Error {
  readonly errorName: ErrorName;
  readonly extra: ErrorExtra;

  constructor(errorName: ErrorName, extra: ErrorExtra = {}) {
    super(errorName);
    this.name = 'ApiError';
    this.errorName = errorName;
    this.extra = extra;
  }

  get status() {
    return definitionOf(this.errorName).status;
  }
}

/** A body of one megabyte may have more than 100,000 invalid fields, with names of any length. */
const maxDetails = 100;
const maxDetailLength = 300;

const boundedDetail = ({ field, code, message }: ErrorDetail): ErrorDetail => ({
  field: shortened(field, maxDetailLength),
  code,
  message: shortened(message, maxDetailLength),
});

export const errorBody = (
  errorName: ErrorName,
  language: Language,
  requestId: string,
  extra: ErrorExtra = {},
): ErrorBody => {
  const { retryAfter: _, details, ...others } = extra;
  const members = Array.isArray(details)
    ? { ...others, details: details.slice(0, maxDetails).map(boundedDetail) }
    : { ...others, ...(details === undefined ? {} : { details }) };
  const definition = definitionOf(errorName);
  return {
    error: { code: definition.code, message: definition[language], request_id: requestId, ...members },
  };
};

/** Creates the 422 error for one invalid field. */
export const invalid = (field: string, code: string, message: string): ApiError => {
  return new ApiError('validation_error', { details: [{ field, code, message }] });
};
