//! scratch
use quote::ToTokens;
use smooth_core::diag::Diags;
use smooth_core::fsmooth::print;
use smooth_core::options::Options;
use smooth_core::surface::parse;
#[test]
fn zz() {
    let text = std::fs::read_to_string("/tmp/w/fold/src/main.rs").unwrap();
    let out = std::path::Path::new("/tmp/w/zzout");
    let _ = std::fs::remove_dir_all(out);
    std::fs::create_dir_all(out).unwrap();
    for item in syn::parse_file(&text).unwrap().items {
        let syn::Item::Fn(mut f) = item else { continue };
        let name = f.sig.ident.to_string();
        let mut diags = Diags::new();
        let Some(at) = f.attrs.iter().position(|a| a.path().is_ident("smooth")) else { continue };
        let attr = f.attrs.remove(at);
        let args = match attr.meta {
            syn::Meta::List(l) => l.tokens,
            _ => Default::default(),
        };
        let options = Options::parse(args, &mut diags);
        let f = parse::parse(f.to_token_stream(), &mut diags).unwrap();
        if !smooth_core::expand::callees(&f, &options).is_empty() {
            continue;
        }
        let mut at = 0;
        let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            smooth_core::pipeline::compile_watched(&f, &[], &options, &mut diags, &mut |stage, k| {
                at += 1;
                let t = match k {
                    smooth_core::run::Passed::Smooth(k) => print::pretty(&k.body, &k.names),
                    smooth_core::run::Passed::Loops(f) => smooth_core::loops::print::function(f),
                    smooth_core::run::Passed::Dps(_) => return,
                };
                std::fs::write(out.join(format!("{name}.{at:03}.{}", stage.replace(' ', "_"))), t).unwrap();
            })
            .is_some()
        }));
        println!(
            "{name}: {:?} {}",
            result.is_ok(),
            diags.iter().map(|d| d.message.clone()).collect::<Vec<_>>().join("; ")
        );
    }
}
