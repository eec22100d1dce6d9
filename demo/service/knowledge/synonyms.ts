/** Words that people use for one another when they ask a shop something. Looked up by stem, in either language. */
import { stem, words } from './terms.ts';

const groups = `
open opening hours close closed closing timings
price prices cost costs fee fees charge rate
shipping ship deliver delivery deliveries send courier post
location located address place map find directions
park parking car lot
kid kids child children son daughter toddler
class classes lesson lessons course courses workshop workshops teach learn
return returns refund refunds exchange
broken damaged cracked chipped
pay payment card cash visa mastercard
reserve reservation booking book
cancel cancellation
gift voucher present
wheelchair disabled disability accessible accessibility ramp
order orders purchase bought
custom bespoke commission commissioned personalised personalized
dishwasher machine
microwave oven
group groups team company party birthday corporate event events
beginner beginners experience
member members membership subscription monthly
phone telephone call whatsapp number
email mail
contact reach
wholesale bulk trade stockist reseller
tax vat
glaze glazes glazing colour colours color
fire firing kiln
long duration take
wear clothes apron
toilet bathroom restroom
teacher instructor instructors
language languages speak english arabic

مواعيد ساعات دوام اوقات تفتح تفتحون يفتح مفتوح مفتوحين تغلق تغلقون تقفلون العمل
سعر اسعار تكلفه تكلف بكم قيمه رسوم كلفه السعر
توصيل شحن توصلون تشحنون ترسلون ارسال يوصل توصيله شحنه
موقع عنوان مكان مكانكم موقعكم عنوانكم تقعون خريطه
موقف مواقف سياره سيارتي سيارات
طفل اطفال ابني بنتي ابنتي اولاد صغار اطفالي عيالي
دوره دورات حصه حصص درس دروس ورشه تعلم تتعلم اتعلم كورس صف
ارجاع استرجاع ارجع استرداد استبدال اعاده تبديل
مكسور مكسوره انكسر انكسرت كسر تالف تضرر
دفع الدفع ادفع بطاقه نقدا كاش فيزا
حجز احجز الحجز نحجز
الغاء الغي الغيت تلغي
هديه هدايا قسيمه قسائم
كرسي متحرك اعاقه ذوي
طلب طلبي طلبيه طلبات طلبيتي
خاصه خاص مخصص مخصصه حسب تفصيل
غساله جلايه الصحون
ميكروويف مايكروويف فرن
مجموعه مجموعات شركه شركات فعاليه فعاليات حفله عيد فريق مناسبه
مبتدي مبتدئين مبتديه خبره
عضويه اشتراك عضو شهري
هاتف رقم واتساب اتصل جوال تلفون
بريد ايميل
تواصل اتواصل
جمله الجمله كميات موزع
ضريبه ضريبه القيمه
طلاء تزجيج الوان لون تلوين
حرق الفرن افران
مده طول وقت يستغرق ياخذ تستغرق
البس ملابس مريول
مدرب مدربه مدربين معلم معلمه
لغه لغات تتكلمون انجليزي عربي
`;

const byStem = new Map<string, Set<string>>();
for (const line of groups.split('\n')) {
  const stems = words(line).map(stem);
  for (const each of stems) byStem.set(each, new Set([...(byStem.get(each) ?? []), ...stems]));
}

/** The other stems that may stand for this one. */
export function synonyms(term: string): string[] {
  return [...(byStem.get(term) ?? [])].filter((other) => other !== term);
}
