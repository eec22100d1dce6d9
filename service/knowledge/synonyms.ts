/** Synonyms that visitors of a shop use, one group a line. They are looked up by stem. */
import { stem, words } from './terms.ts';

const groups = `
open opening hours close closed closing timings
price prices cost costs fee fees charge rate omr riyal
shipping ship deliver delivery deliveries send courier post
location located address place map find directions
park parking car lot
kid kids child children son daughter toddler
class classes lesson lessons course courses workshop workshops teach learn
return returns refund refunds exchange money
broken broke damaged shattered cracked chipped
pay payment card cash visa mastercard
reserve reservation booking book
cancel cancellation reschedule
fix mend repair
gift voucher present
wheelchair disabled disability accessible accessibility ramp
order orders purchase bought
custom bespoke commission commissioned personalised personalized
plate plates bowl bowls mug mugs cup cups pot pots piece pieces pottery
dishwasher wash washing
gcc gulf uae emirates dubai sharjah saudi riyadh jeddah qatar doha bahrain kuwait
oman muscat salalah nizwa sohar sur
microwave oven
group groups team company corporate event events colleague colleagues staff
birthday party
beginner beginners experience
member members membership subscription monthly
phone telephone call whatsapp number
email mail
contact reach
wholesale bulk trade stockist reseller sell
tax vat
glaze glazes glazing colour colours color
fire firing kiln
duration take takes
wear clothes apron
toilet bathroom restroom
teacher instructor instructors
language languages speak english arabic

مواعيد ساعات دوام دوامكم اوقات تفتح تفتحون يفتح مفتوح مفتوحين تغلق تغلقون تقفلون تسكرون العمل
سعر اسعار تكلفه تكلف بكم قيمه رسوم كلفه ريال ريالا ريالات
توصيل شحن توصلون تشحنون ترسلون ارسال توصيله شحنه
موقع عنوان مكان مكانكم موقعكم عنوانكم تقعون خريطه
موقف مواقف سياره سيارتي سيارات
طفل اطفال ابني بنتي ابنتي اولاد صغار اطفالي عيالي
دوره دورات حصه حصص درس دروس ورشه تعلم تتعلم اتعلم كورس صف
ارجاع استرجاع ارجع ترجعون ترجع استرداد استبدال اعاده تبديل
مكسور مكسوره انكسر انكسرت كسر تالف تضرر
دفع الدفع ادفع بطاقه نقدا كاش فيزا
حجز احجز الحجز نحجز
الغاء الغي الغيت تلغي
هديه هدايا قسيمه قسائم
كرسي متحرك اعاقه ذوي
طلب طلبي طلبيه طلبات طلبيتي
خاصه خاص مخصص مخصصه حسب تفصيل
غساله جلايه غسل اغسل اغسلها تغسل
قطعه قطع صحن صحون كوب اكواب وعاء فنجان فناجين اواني فخار
خارج برا بره
خليج دبي الامارات السعوديه الرياض جده قطر الدوحه البحرين الكويت
عمان مسقط صلاله نزوي صحار صور السلطنه
اصلاح تصلحون تصلحونه ترميم نرمم
ميكروويف مايكروويف
مجموعه مجموعات شركه شركات فعاليه فعاليات فريق موظفين موظفي
حفله حفلات ميلاد
مبتدي مبتدئين مبتديه خبره
عضويه اشتراك عضو شهري
هاتف رقم واتساب اتصل جوال تلفون
بريد ايميل
تواصل اتواصل
جمله الجمله كميات موزع
ضريبه ضريبه القيمه
طلاء تزجيج الوان لون تلوين
حرق تحرقون نحرق احراق
احضار احضر اجيب اجلب
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

/** Returns the stems of the synonyms of a term. */
export const synonyms = (term: string): string[] => {
  return [...(byStem.get(term) ?? [])].filter((other) => other !== term);
};
